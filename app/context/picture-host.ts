import type { PictureHost } from '#features/media/model/picture.ts';
import { pageSettings } from '../session/stored.ts';

export function pictureHost(): PictureHost {
  const { url, data: settings } = pageSettings();
  return {
    url,
    origin: location.origin,
    own: settings['own'] !== undefined,
    pictureHosts: settings['pictures']?.split(' ') ?? [],
    defaultCover: settings['cover'] ?? '',
  };
}
