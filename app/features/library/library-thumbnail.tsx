import { Thumbnail } from '#features/media/thumbnail.tsx';
import type { LibraryFile } from './model/library.ts';
import './library.css';

export const LibraryThumbnail = ({ file: { kind, url, poster } }: { file: LibraryFile }) => (
  <Thumbnail beside media={{ type: kind === 'film' ? 'video' : 'image', url, poster }} />
);
