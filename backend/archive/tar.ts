/** The few of tar's rules that an archive needs: plain files of ours, one after the other. Any tar reads what is written here. */

export const BLOCK = 512;
const NAME_BYTES = 100;
const FOLDER_BYTES = 155;
const LARGEST_OCTAL = 8 ** 11;
/** What follows the last entry. */
export const END = Buffer.alloc(2 * BLOCK);

/** Zero bytes that fill the last block of an entry. */
export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

/**
 * The header of an entry (POSIX ustar, mode 0600, no owner, no time): the same name and size always give the same bytes.
 * @param name path with slashes; its folder may have 155 bytes, its last part 100
 */
export function tarHeader(name: string, size: number): Buffer {
  const slash = name.lastIndexOf('/');
  const [folder, file] = [name.slice(0, Math.max(slash, 0)), name.slice(slash + 1)];
  if (Buffer.byteLength(folder) > FOLDER_BYTES || Buffer.byteLength(file) > NAME_BYTES)
    throw new Error(`The name ${name} is too long for an archive.`);
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

/**
 * Reads a header back. Whatever `tarHeader` would not write is refused: links, folders, other owners, a wrong sum.
 * @returns null when the block is not a header of ours
 */
export function readTarHeader(block: Buffer): { name: string; size: number } | null {
  const [folder, file] = [textAt(block, 345, FOLDER_BYTES), textAt(block, 0, NAME_BYTES)];
  const size = block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : Number.parseInt(textAt(block, 124, 12), 8);
  if (!Number.isSafeInteger(size) || size < 0) return null;
  const name = folder ? `${folder}/${file}` : file;
  return tarHeader(name, size).equals(block) ? { name, size } : null;
}

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');

function textAt(block: Buffer, at: number, length: number): string {
  const bytes = block.subarray(at, at + length);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? length : end);
}
