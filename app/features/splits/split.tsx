import { href, Link, useSearchParams } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { NoProject } from '#features/projects/loaded-project.tsx';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { EditConflict, messageOf } from '#lib/data/api-error.ts';
import { onceFilled, useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
import { DayTime } from '#ui/time.tsx';
import type { Route } from './+types/split';
import { IssuedSheetView } from './issued-sheet.tsx';
import { planFor, today } from './model/plan.ts';
import { beginDraft, findSplit, type SplitOfProject, splitKey } from './model/records.ts';
import { PlanForm } from './plan-form.tsx';
import { splitSheet as words } from './words/split-sheet.ts';
import { unallocatedPercent } from './words/terms.ts';
import './split.css';

export const meta = privateTags(words.title);

export default function Split({ params: { id } }: Route.ComponentProps) {
  const split = useRead(splitKey(id), (data) => findSplit(data, id), onceFilled);
  return (
    <div ref={keepFocus}>
      <Loaded query={split} loading={words.loading} failed={words.failed}>
        {(found) => (found === null ? <NoProject /> : <SplitScreen split={found} />)}
      </Loaded>
    </div>
  );
}

function SplitScreen({ split: { project, draft, issued } }: { split: SplitOfProject }) {
  const [address] = useSearchParams();
  const { unallocatedShareTo } = useFacts();
  const requested = issued.find(({ number }) => String(number) === address.get('sheet'));
  const sheet = requested ?? (draft ? null : issued[0]);
  const current = (isShown: boolean) => (isShown ? 'page' : undefined);
  const replaced = draft && issued.find(({ id }) => id === draft.replaces);
  return (
    <>
      <ScreenHead
        title={sheet ? words.sheetName(sheet.number) : words.title}
        back={<Link to={href('/admin/projects/:id', { id: project.id })}>Back to the project</Link>}
      />
      <p className="split-intro below-5 measure-70">
        {project.title}. How this project’s fee is shared by the collective’s terms.
      </p>
      {!unallocatedShareTo && !sheet && (
        <div className="split-note below-5">
          <Banner kind="warning">
            The terms leave {unallocatedPercent}% of the fee unallocated. You can prepare this sheet, and issue it once
            the settings say who receives that part.{' '}
            <Link to={`${href('/admin/settings')}#split`}>Choose where it goes</Link>
          </Banner>
        </div>
      )}
      {issued.length > 0 && (draft || issued.length > 1) && (
        <nav className="split-sheets" aria-label="Sheets of this project">
          <ul className="cluster gap-2 gap-x-5 below-5">
            {draft && (
              <li>
                <Link className="tap" to="?" aria-current={current(!sheet)}>
                  Draft
                </Link>
              </li>
            )}
            {issued.map((one) => (
              <li key={one.id}>
                <Link className="tap gap-1" to={`?sheet=${one.number}`} aria-current={current(one === sheet)}>
                  {words.sheetName(one.number)}, <DayTime at={one.issued_at} />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {sheet && <IssuedSheetView key={sheet.id} sheet={sheet} all={issued} />}
      {sheet && !draft && issued[0] === sheet && (
        <StartSheet project={project} replaces={sheet.id} label="Correct it with a new sheet" />
      )}
      {!sheet && draft && (
        <>
          {replaced && (
            <p className="split-note below-5">This draft will replace sheet {replaced.number} when it is issued.</p>
          )}
          <PlanForm key={draft.id} project={project} draft={draft} />
        </>
      )}
      {!sheet && !draft && (
        <>
          {project.budget === null && (
            <p className="empty split-note below-5">
              This project has no budget yet, so there is no fee to split. Add a budget, or type the amount into the
              sheet. <Link to={href('/admin/projects/:id/edit', { id: project.id })}>Add a budget</Link>
            </p>
          )}
          <p>Nothing is sent and nothing is final until you issue it.</p>
          <StartSheet project={project} replaces={null} label="Prepare a split sheet" />
        </>
      )}
    </>
  );
}

type StartSheetProps = { project: SplitOfProject['project']; replaces: string | null; label: string };

function StartSheet({ project, replaces, label }: StartSheetProps) {
  const [, setAddress] = useSearchParams();
  const { complain } = useStatus();
  const isHere = () => location.pathname.startsWith(href('/admin/projects/:id/split', { id: project.id }));
  const start = useWrite(
    (data) => beginDraft(data, project.id, planFor(project, today()), replaces),
    (cache) => cache.invalidateQueries({ queryKey: splitKey(project.id) }),
  );
  const startSheet = () =>
    start
      .mutateAsync()
      // A draft was just created by another admin: it is opened instead.
      .catch((error: unknown) => error instanceof EditConflict || complain(messageOf(error, words.failedToSave)))
      .finally(() => isHere() && setAddress({}, { preventScrollReset: true }));
  return (
    <div className="split-actions above-5 below-5">
      <SmallButton variant={replaces ? 'secondary' : 'primary'} busy={start.isPending} onClick={startSheet}>
        {label}
      </SmallButton>
    </div>
  );
}
