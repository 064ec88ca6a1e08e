import type { PictureHost } from '#features/media/model/picture.ts';
import { pageSettings } from '../session/stored.ts';

export function pictureHost(): PictureHost {
  const { url, data } = pageSettings();
  const { own, pictures, cover: defaultCover = '' } = data;
  const pictureHosts = pictures?.split(' ') ?? [];
  return { url, origin: location.origin, own: own !== undefined, pictureHosts, defaultCover };
}
