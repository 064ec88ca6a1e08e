import { href, Link } from 'react-router';
import { useIsAdmin } from '#session/caller.ts';
import { type LibraryFile, type LibraryPlace, nameOfPlace } from './model/library.ts';

export function Places({ file: { uses, places } }: { file: Pick<LibraryFile, 'uses' | 'places'> }) {
  const isAdmin = useIsAdmin();
  const isOpen = ({ kind }: LibraryPlace) => isAdmin || kind === 'project' || kind === 'page' || kind === 'trash';
  return (
    <ul className="library-places">
      {places.map((place) => (
        <li key={`${place.kind} ${place.id}`}>
          {isOpen(place) ? <Link to={addressOf(place)}>{nameOfPlace(place)}</Link> : nameOfPlace(place)}
        </li>
      ))}
      {uses > places.length && <li>and {uses - places.length} more</li>}
    </ul>
  );
}

function addressOf({ kind, id }: LibraryPlace): string {
  if (kind === 'project') return href('/admin/projects/:id/edit', { id: id! });
  if (kind === 'page') return `${href('/admin')}/pages/${id}`;
  return kind === 'trash' ? href('/admin/trash') : href('/admin/settings');
}
