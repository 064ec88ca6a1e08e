interface Entry<Value> {
  value: Value;
  bytes: number;
  used: boolean;
}

/** Limits bytes and entries. Evicts approximately the least recently used, at no cost to a hit. */
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
    if (entry) entry.used = true;
    return entry?.value;
  }

  set(key: string, value: Value, bytes: number): boolean {
    this.delete(key);
    if (bytes > this.#maxBytes) return false;
    while (this.#entries.size >= this.#maxEntries || this.#bytes + bytes > this.#maxBytes) this.#evictOne();
    this.#entries.set(key, { value, bytes, used: false });
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

  #evictOne(): void {
    for (const [key, entry] of this.#entries) {
      if (!entry.used) {
        this.#evictions++;
        this.delete(key);
        return;
      }
      // At most one round: the flag is cleared when its turn comes again.
      entry.used = false;
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
  }
}
