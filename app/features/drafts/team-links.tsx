import { REVIEWS } from '#features/projects/project-queries.ts';
import { clients } from '#session/browser.ts';
import { useRead } from '#session/use-read.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { DraftLinks } from './draft-links.tsx';
import { findDraftLinks } from './model/draft-links.ts';

export function TeamLinks({ id }: { id: string }) {
  const links = useRead([REVIEWS, 'links', id], (data) => findDraftLinks(data, id));
  return (
    <Loaded query={links} loading="Loading links" failed="Failed to load the links">
      {(found) => <DraftLinks id={id} links={found} data={clients().data()} onChange={() => links.refetch()} />}
    </Loaded>
  );
}
