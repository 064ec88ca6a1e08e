import { newId } from '#lib/data/ids.ts';
import { clients } from '#session/browser.ts';
import { BUCKET, pathFor } from './model/upload.ts';

const LONGEST_SIDE = 1920;
const MOMENTS_SECONDS = [0, 0.5, 1, 2, 3];
const BLACK = 20;

/** What a video shows now, as a JPEG. @throws Error before a frame is loaded, or when its origin does not allow it */
export async function filmFrame(video: HTMLVideoElement): Promise<File> {
  const { videoWidth, videoHeight, readyState } = video;
  if (readyState < HTMLMediaElement.HAVE_CURRENT_DATA) throw new Error('No frame is loaded yet');
  const scale = Math.min(1, LONGEST_SIDE / Math.max(videoWidth, videoHeight));
  const canvas = drawn(video, Math.round(videoWidth * scale), Math.round(videoHeight * scale));
  const frame = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
  return new File([frame], 'poster.jpg', { type: 'image/jpeg' });
}

/** The first frame of a stored film that is not black, or that of its first second; null when it cannot be played. */
async function firstFilmFrame(address: string): Promise<File | null> {
  const video = document.createElement('video');
  try {
    Object.assign(video, { muted: true, playsInline: true, preload: 'auto', crossOrigin: 'anonymous' });
    await once(video, 'loadeddata', { src: address });
    const moments = MOMENTS_SECONDS.filter((second) => second < video.duration);
    for (const second of [...moments, Math.min(1, video.duration / 2)]) {
      await once(video, 'seeked', { currentTime: second });
      if (!isBlack(video)) break;
    }
    return await filmFrame(video);
  } catch {
    return null;
  } finally {
    video.removeAttribute('src');
  }
}

/** The address of the first frame as a stored picture; null when there is none: a poster can be chosen later. */
export async function storeFirstFrame(film: string): Promise<string | null> {
  const frame = await firstFilmFrame(film);
  if (!frame) return null;
  const pictures = clients().storage.from(BUCKET);
  const path = pathFor(newId(), { extension: 'jpg', contentType: frame.type });
  const { error } = await pictures.upload(path, frame, { contentType: frame.type });
  return error ? null : pictures.getPublicUrl(path).data.publicUrl;
}

function isBlack(video: HTMLVideoElement): boolean {
  const { data } = drawn(video, 16, 9).getContext('2d')!.getImageData(0, 0, 16, 9);
  const colours = data.filter((_, place) => place % 4 !== 3);
  return colours.reduce((sum, value) => sum + value, 0) / colours.length < BLACK;
}

function drawn(video: HTMLVideoElement, width: number, height: number): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')!.drawImage(video, 0, 0, width, height);
  return canvas;
}

function once(video: HTMLVideoElement, type: string, change: Partial<HTMLVideoElement>): Promise<void> {
  const signal = AbortSignal.timeout(10_000);
  return new Promise((resolve, reject) => {
    video.addEventListener(type, () => resolve(), { once: true, signal });
    video.addEventListener('error', reject, { once: true, signal });
    signal.addEventListener('abort', reject);
    Object.assign(video, change);
  });
}
