import type { PictureHost } from '#features/media/model/picture.ts';
import { pageSettings } from '../session/stored.ts';

export function pictureHost(): PictureHost {
  const { own, pictures, cover: defaultCover = '' } = pageSettings().data;
  const pictureHosts = pictures?.split(' ') ?? [];
  return { origin: location.origin, own: own !== undefined, pictureHosts, defaultCover };
}
