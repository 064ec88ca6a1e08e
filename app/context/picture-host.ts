import type { PictureHost } from '#features/media/model/picture.ts';
import { backendOf } from '../session/stored.ts';

export function pictureHost(): PictureHost {
  const settings = document.querySelector<HTMLMetaElement>('meta[name="supabase"]')?.dataset ?? {};
  return {
    url: backendOf(document).url,
    origin: location.origin,
    own: settings['own'] !== undefined,
    pictureHosts: settings['pictures']?.split(' ') ?? [],
    defaultCover: settings['cover'] ?? '',
  };
}
