import type { PictureHost } from '../models/picture.ts';
import { backendOf } from './stored.ts';

/** Where pictures come from, as the document says. Browser only. */
export const pictureHost = (): PictureHost => ({
  url: backendOf(document).url,
  origin: location.origin,
  own: document.querySelector<HTMLMetaElement>('meta[name="supabase"]')?.dataset['own'] !== undefined,
});
