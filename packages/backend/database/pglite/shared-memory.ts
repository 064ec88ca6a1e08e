/** Binary format of WebAssembly, sections 5.3 and 5.5 of its specification. */
const HEADER_BYTES = 8;
const IMPORT_SECTION = 2;
const IMPORT_KIND = { function: 0, table: 1, memory: 2, global: 3, tag: 4 };
const HAS_MAXIMUM = 1;
const SHARED = 2;
/** 64 KB each; PGlite's maximum. */
const MAX_PAGES = 32_768;

/** Makes memory shared, so that another thread can interrupt a loop. To be called before PGlite is imported. */
export function shareMemory(): void {
  const { Memory, Module, compile } = WebAssembly;
  const instantiate = WebAssembly.instantiate as (source: unknown, imports: unknown) => Promise<unknown>;
  Object.assign(WebAssembly, {
    Memory: class extends Memory {
      constructor(descriptor: WebAssembly.MemoryDescriptor) {
        super({ ...descriptor, maximum: descriptor.maximum ?? MAX_PAGES, shared: true });
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
  let offset = HEADER_BYTES;
  const readNumber = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[offset++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const readLimits = () => {
    const flags = bytes[offset++]!;
    const minimum = readNumber();
    return { flags, minimum, maximum: flags & HAS_MAXIMUM ? readNumber() : MAX_PAGES };
  };
  const skipName = () => {
    const length = readNumber();
    offset += length;
  };
  while (offset < bytes.length) {
    const isImports = bytes[offset++] === IMPORT_SECTION;
    const sizeAt = offset;
    const size = readNumber();
    const start = offset;
    const end = start + size;
    for (let remaining = isImports ? readNumber() : 0; remaining > 0; remaining--) {
      skipName();
      skipName();
      const kind = bytes[offset++];
      const limitsAt = offset;
      if (kind === IMPORT_KIND.function) readNumber();
      else if (kind === IMPORT_KIND.global) offset += 2;
      else if (kind === IMPORT_KIND.tag) {
        offset++;
        readNumber();
      } else if (kind === IMPORT_KIND.table) {
        offset++;
        readLimits();
      } else {
        const { flags, minimum, maximum } = readLimits();
        if (flags & SHARED) return bytes;
        const sharedLimits = [flags | HAS_MAXIMUM | SHARED, ...encodeLeb128(minimum), ...encodeLeb128(maximum)];
        const addedBytes = sharedLimits.length - (offset - limitsAt);
        const parts = [
          bytes.subarray(0, sizeAt),
          encodeLeb128(size + addedBytes),
          bytes.subarray(start, limitsAt),
          sharedLimits,
          bytes.subarray(offset),
        ];
        return Buffer.concat(parts.map((part) => new Uint8Array(part)));
      }
    }
    offset = end;
  }
  return bytes;
}

const encodeLeb128 = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...encodeLeb128(Math.floor(value / 128))];
