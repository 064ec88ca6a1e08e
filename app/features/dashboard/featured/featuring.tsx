import { type Featured, listFeatured, saveFeatured } from '#features/portfolio/model/featured.ts';
import type { Project } from '#features/projects/model/read.ts';
import { isListed } from '#features/projects/model/status.ts';
import { MAX_FEATURED } from '#lib/data/limits.ts';
import { fromCache, useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { featured as words } from '../words/featured.ts';

export function Featuring({ project: { id, title, status } }: { project: Project }) {
  const { data: chosen, isError } = useFeatured();
  const saving = useFeature();
  const { report } = useStatus();
  const place = chosen?.findIndex((one) => one.id === id) ?? -1;
  const listed = isListed(status);
  const full = chosen !== undefined && chosen.length >= MAX_FEATURED;
  if (!chosen) return <p className="gap-3 cluster apart touch">{isError ? words.failedToLoad : words.loading}</p>;
  const whenListed = full ? FULL : 'Not featured on the home page.';
  const whenOff = listed ? whenListed : 'Only a published project can be featured on the home page.';
  const toggled: Change = (all) => (place < 0 ? [...all, { id, title, status }] : all.filter((one) => one.id !== id));
  const change = () => void report(saving.mutateAsync(toggled), words.failedToSave);
  return (
    <div className="gap-3 cluster apart touch">
      <p role="status">{place >= 0 ? words.isAt(place + 1, listed) : whenOff}</p>
      {(place >= 0 || (listed && !full)) && (
        <SmallButton busy={saving.isPending} onClick={change}>
          {place < 0 ? 'Show on the home page' : 'Take off the home page'}
        </SmallButton>
      )}
    </div>
  );
}

const FULL = `${MAX_FEATURED} projects are featured on the home page already. Take one off first.`;
const FEATURED = ['projects', 'featured'];

export const useFeatured = () => useRead(FEATURED, listFeatured, fromCache);

type Change = (chosen: readonly Featured[]) => readonly Featured[];

/** Changes the list as it is now: another admin may have changed it since it was shown. */
export const useFeature = () =>
  useWrite(
    async (data, change: Change) => saveFeatured(data, change(await listFeatured(data))),
    (cache) => cache.invalidateQueries({ queryKey: FEATURED }),
    { queryKey: FEATURED, change: (chosen: readonly Featured[], change) => change(chosen) },
  );
