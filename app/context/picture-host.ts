import type { PictureHost } from '#features/media/model/picture.ts';
import { backendOf } from '../session/stored.ts';

export function pictureHost(): PictureHost {
  const told = document.querySelector<HTMLMetaElement>('meta[name="supabase"]')?.dataset ?? {};
  return {
    url: backendOf(document).url,
    origin: location.origin,
    own: told['own'] !== undefined,
    pictureHosts: told['pictures']?.split(' ') ?? [],
    defaultCover: told['cover'] ?? '',
  };
}
