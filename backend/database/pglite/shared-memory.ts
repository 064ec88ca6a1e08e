/** Binary format of WebAssembly, sections 5.3 and 5.5 of its specification. */
const HEADER_BYTES = 8;
const IMPORTS = 2;
const KIND = { function: 0, table: 1, memory: 2, global: 3, tag: 4 };
const HAS_MAXIMUM = 1;
const SHARED = 2;
/** 64 KB each; PGlite's maximum. */
const MOST_PAGES = 32_768;

/** Makes memory shared, so that another thread can interrupt a loop. To be called before PGlite is imported. */
export function shareMemory(): void {
  const { Memory, Module, compile } = WebAssembly;
  const instantiate = WebAssembly.instantiate as (source: unknown, imports: unknown) => Promise<unknown>;
  Object.assign(WebAssembly, {
    Memory: class extends Memory {
      constructor(descriptor: WebAssembly.MemoryDescriptor) {
        super({ ...descriptor, maximum: descriptor.maximum ?? MOST_PAGES, shared: true });
      }
    },
    Module: new Proxy(Module, {
      construct: (target, [source]: [BufferSource]) => new target(withSharedMemory(source)),
    }),
    compile: (source: BufferSource) => compile(withSharedMemory(source)),
    instantiate: (source: BufferSource | WebAssembly.Module, imports: unknown) =>
      instantiate(source instanceof Module ? source : withSharedMemory(source), imports),
  });
}

function withSharedMemory(source: BufferSource): Uint8Array<ArrayBuffer> {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source as ArrayBuffer);
  let at = HEADER_BYTES;
  const number = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const limits = () => {
    const flags = bytes[at++]!;
    const least = number();
    const most = flags & HAS_MAXIMUM ? number() : MOST_PAGES;
    return { flags, least, most };
  };
  const skipName = () => {
    const length = number();
    at += length;
  };
  while (at < bytes.length) {
    const isImports = bytes[at++] === IMPORTS;
    const sizeAt = at;
    const size = number();
    const begin = at;
    const end = begin + size;
    for (let left = isImports ? number() : 0; left > 0; left--) {
      skipName();
      skipName();
      const kind = bytes[at++];
      const limitsAt = at;
      if (kind === KIND.function) number();
      else if (kind === KIND.global) at += 2;
      else if (kind === KIND.tag) {
        at++;
        number();
      } else if (kind === KIND.table) {
        at++;
        limits();
      } else {
        const { flags, least, most } = limits();
        if (flags & SHARED) return bytes;
        const marked = [flags | HAS_MAXIMUM | SHARED, ...written(least), ...written(most)];
        const longer = marked.length - (at - limitsAt);
        const parts = [
          bytes.subarray(0, sizeAt),
          written(size + longer),
          bytes.subarray(begin, limitsAt),
          marked,
          bytes.subarray(at),
        ];
        return joined(parts);
      }
    }
    at = end;
  }
  return bytes;
}

/** Unsigned LEB128. */
function written(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...written(Math.floor(value / 128))];
}

function joined(parts: ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
