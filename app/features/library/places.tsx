import { href, Link } from 'react-router';
import type { LibraryFile, LibraryPlace } from './model/library.ts';
import { nameOfPlace } from './model/library.ts';

export const Places = ({ file: { uses, places } }: { file: Pick<LibraryFile, 'uses' | 'places'> }) => (
  <ul className="library-places">
    {places.map((place) => (
      <li key={`${place.kind} ${place.id}`}>
        <Link to={addressOf(place)}>{nameOfPlace(place)}</Link>
      </li>
    ))}
    {uses > places.length && <li>and {uses - places.length} more</li>}
  </ul>
);

function addressOf({ kind, id }: LibraryPlace): string {
  if (kind === 'project') return href('/admin/projects/:id/edit', { id: id! });
  if (kind === 'page') return `${href('/admin')}/pages/${id}`;
  return kind === 'trash' ? href('/admin/trash') : href('/admin/settings');
}
