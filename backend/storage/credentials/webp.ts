import type { Asset } from '@trustnxt/c2pa-ts/asset';

/** A WebP for the library, which knows JPEG, PNG and AVIF: credentials stand in a chunk of their own. It is only read. */
export class Webp implements Asset {
  readonly mimeType = 'image/webp';
  protected bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  static canRead(bytes: Uint8Array): boolean {
    const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
    return head.startsWith('RIFF') && head.endsWith('WEBP');
  }

  getDataLength(): number {
    return this.bytes.length;
  }

  async getDataRange(start = 0, length = this.bytes.length - start): Promise<Uint8Array> {
    return this.bytes.subarray(start, start + length);
  }

  getManifestJUMBF(): Uint8Array | undefined {
    const { start, length } = this.getHashExclusionRange();
    return length ? this.bytes.subarray(start + 8, start + length) : undefined;
  }

  getHashExclusionRange(): { start: number; length: number } {
    for (let at = 12; at + 8 <= this.bytes.length; ) {
      const length = this.bytes.readUInt32LE(at + 4);
      if (this.bytes.toString('latin1', at, at + 4) === 'C2PA') return { start: at, length: 8 + length };
      at += 8 + length + (length % 2);
    }
    return { start: 0, length: 0 };
  }

  dumpInfo(): string {
    return this.mimeType;
  }

  ensureManifestSpace(_length: number): Promise<void> {
    throw new Error('Credentials are read here, never written.');
  }

  writeManifestJUMBF(jumbf: Uint8Array): Promise<void> {
    return this.ensureManifestSpace(jumbf.length);
  }
}
