interface Entry<Value> {
  value: Value;
  bytes: number;
}

/** Limits bytes and entries; evicts the least recently used. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #maxBytes: number;
  readonly #maxEntries: number;
  readonly #onRemove: (key: string, value: Value) => void;
  #bytes = 0;
  #evictions = 0;

  /** @param onRemove called for every entry that is evicted or deleted, not for `clear` */
  constructor(maxBytes: number, maxEntries: number, onRemove: (key: string, value: Value) => void = () => {}) {
    this.#maxBytes = maxBytes;
    this.#maxEntries = maxEntries;
    this.#onRemove = onRemove;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get evictions(): number {
    return this.#evictions;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, bytes: number): boolean {
    this.delete(key);
    if (bytes > this.#maxBytes) return false;
    while (this.#entries.size >= this.#maxEntries || this.#bytes + bytes > this.#maxBytes) this.#evictOldest();
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    return true;
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
    this.#onRemove(key, entry.value);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #evictOldest(): void {
    const [key] = this.#entries.keys();
    this.#evictions++;
    this.delete(key!);
  }
}
