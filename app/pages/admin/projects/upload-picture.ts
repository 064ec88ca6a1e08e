import {
  BUCKET,
  LARGEST_FILE,
  pathFor,
  pictureIn,
  readableSize,
  UploadError,
  uploadFile,
} from '../../../models/upload.ts';
import { clients } from '../../../session/browser.ts';

/**
 * Stores a picture under a random name.
 * @param onProgress fraction from 0 to 1
 * @returns its public address
 * @throws UploadError
 */
export async function uploadPicture(file: File, onProgress: (fraction: number) => void): Promise<string> {
  if (file.size > LARGEST_FILE) {
    const limit = readableSize(LARGEST_FILE);
    throw new UploadError(`${file.name} is ${readableSize(file.size)}; a picture can be ${limit} at most.`, true);
  }
  const picture = await pictureIn(file);
  if (!picture) throw new UploadError(`${file.name} is not a picture we can show.`, true);
  const { url, key, auth, storage } = clients();
  const path = pathFor(crypto.randomUUID(), picture);
  const token = async () => (await auth.getSession()).data.session?.access_token ?? null;
  await uploadFile(
    { url, key, token },
    file,
    { path, contentType: picture.contentType },
    { onProgress, signal: new AbortController().signal },
  );
  return storage.from(BUCKET).getPublicUrl(path).data.publicUrl;
}
