import { MAX_FILM_BYTES } from '#lib/data/limits.ts';
import { mediaWords as words } from '#lib/words/media.ts';
import { firstBytes, readableSize, UploadError, type UploadTarget } from './upload.ts';

const FILMS = 'films';
const SEARCHED = 1024 * 1024;

/** The format by the first bytes; null when it is neither. The server reads the whole structure. */
export async function videoFormatOf(file: Blob): Promise<'mp4' | 'webm' | null> {
  const text = await firstBytes(file, 64);
  if (/^[\s\S]{4}ftyp(?!avi[fs]|hei|mif1|qt )/.test(text)) return 'mp4';
  return text.startsWith('\x1aE\xdf\xa3') && text.includes('webm') ? 'webm' : null;
}

/** @throws UploadError before anything is sent, for what the server would refuse at the end */
export async function filmTarget(file: File, id: string): Promise<UploadTarget> {
  const format = await videoFormatOf(file);
  if (!format) throw new UploadError(words.noVideo(file.name), true);
  const tooLarge = `${file.name} is ${readableSize(file.size)}; a video can be 200 MB at most. Export it smaller, or add its YouTube or Vimeo address.`;
  if (file.size > MAX_FILM_BYTES) throw new UploadError(tooLarge, true);
  const unplayable = `${file.name} is encoded as HEVC (H.265), which not every browser plays. Export it as H.264 (MP4) and choose it again.`;
  if (format === 'mp4' && (await isHevc(file))) throw new UploadError(unplayable, true);
  return { bucket: FILMS, path: `${id}.${format}`, contentType: `video/${format}`, cacheSeconds: 365 * 24 * 3600 };
}

async function isHevc(file: Blob): Promise<boolean> {
  const ends = [file.slice(0, SEARCHED), file.slice(Math.max(SEARCHED, file.size - SEARCHED))];
  const texts = await Promise.all(ends.map(async (end) => new TextDecoder('latin1').decode(await end.arrayBuffer())));
  return texts.some((text) => /stsd[\s\S]{12}(hvc1|hev1)/.test(text));
}

export const isFilm = ({ bucket }: UploadTarget): boolean => bucket === FILMS;
