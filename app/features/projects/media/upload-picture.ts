import {
  BUCKET,
  pathFor,
  pictureIn,
  readableSize,
  UploadError,
  type UploadPlace,
} from '#features/media/model/upload.ts';
import { LARGEST_FILE } from '#lib/data/limits.ts';
import { clients } from '#session/browser.ts';

export interface PictureTarget {
  path: string;
  contentType: string;
}

/** @throws UploadError when the file is too large or not an accepted picture */
export async function targetFor(file: File, id: string): Promise<PictureTarget> {
  if (file.size > LARGEST_FILE) {
    const limit = readableSize(LARGEST_FILE);
    throw new UploadError(`${file.name} is ${readableSize(file.size)}; a picture can be ${limit} at most.`, true);
  }
  const picture = await pictureIn(file);
  if (!picture) throw new UploadError(`${file.name} is not a picture we can show.`, true);
  return { path: pathFor(id, picture), contentType: picture.contentType };
}

export function uploadPlace(): UploadPlace {
  const { url, key, auth } = clients();
  return { url, key, token: async () => (await auth.getSession()).data.session?.access_token ?? null };
}

export const publicAddressOf = ({ path }: PictureTarget): string =>
  clients().storage.from(BUCKET).getPublicUrl(path).data.publicUrl;
