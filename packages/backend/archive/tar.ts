/** Subset of tar: plain files only. Any tar program reads the result. */

export const BLOCK = 512;
const [FOLDER_BYTES, NAME_BYTES] = [155, 100];
const LARGEST_OCTAL = 8 ** 11;
export const END = Buffer.alloc(2 * BLOCK);

export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

const partsOf = (name: string) => [name.slice(0, Math.max(name.lastIndexOf('/'), 0)), name.split('/').at(-1)!] as const;
const isTooLong = (folder: string, file: string) =>
  Buffer.byteLength(folder) > FOLDER_BYTES || Buffer.byteLength(file) > NAME_BYTES;

/** The same name and size always give the same bytes. @param name folder up to 155 bytes, last part 100 */
export function tarHeader(name: string, size: number): Buffer {
  const [folder, file] = partsOf(name);
  if (isTooLong(folder, file)) throw new Error(`The name ${name} is too long for an archive.`);
  const header = Buffer.alloc(BLOCK);
  header.write(file, 0);
  header.write('0000600\0' + '0000000\0' + '0000000\0', 100, 'latin1');
  if (size < LARGEST_OCTAL) header.write(`${octal(size, 11)}\0`, 124, 'latin1');
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write(`${octal(0, 11)}\0`, 136, 'latin1');
  header.write('        0', 148, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  header.write(folder, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return header;
}

/** Rejects whatever `tarHeader` does not write: links, other owners, a wrong checksum. @returns null for others */
export function readTarHeader(block: Buffer): { name: string; size: number } | null {
  const [folder, file] = [textAt(block, 345, FOLDER_BYTES), textAt(block, 0, NAME_BYTES)];
  const size = block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : Number.parseInt(textAt(block, 124, 12), 8);
  if (!Number.isSafeInteger(size) || size < 0) return null;
  const name = folder ? `${folder}/${file}` : file;
  return !isTooLong(...partsOf(name)) && tarHeader(name, size).equals(block) ? { name, size } : null;
}

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');

function textAt(block: Buffer, at: number, length: number): string {
  const bytes = block.subarray(at, at + length);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? length : end);
}
