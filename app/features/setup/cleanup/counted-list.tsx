import { CLEANUP_STEPS, type CleanupStep } from '../model/cleanup.ts';

const NAMES: Record<CleanupStep, string> = {
  project_media: 'Media items',
  case_study_metadata: 'Texts and tags',
  project_members: 'Team entries',
  projects: 'Case studies',
};

export type Progress = Partial<Record<CleanupStep, { deleted: number; over: boolean }>>;

export const CountedList = ({
  rows,
  progress,
}: {
  rows: Record<CleanupStep, number> | null;
  progress: Progress | null;
}) => (
  <ol className="cleanup-list hairline" data-counted={rows !== null || progress !== null || undefined}>
    {CLEANUP_STEPS.map((step) => {
      const going = progress?.[step];
      const state = !going ? 'waiting' : going.over ? 'gone' : 'going';
      const left = rows && Math.max(rows[step] - (going?.deleted ?? 0), 0);
      return (
        <li key={step} data-state={state}>
          <span className="cleanup-count amount">{state === 'gone' ? going?.deleted : left}</span>
          <span>{NAMES[step]}</span>
          {progress && <span className="cleanup-state mono">{STATES[state]}</span>}
        </li>
      );
    })}
  </ol>
);

const STATES = { waiting: 'Waiting', going: 'Deleting...', gone: 'Deleted' };

export const rowsInWords = (rows: Record<CleanupStep, number>): string =>
  [
    countWithNoun(rows.projects, 'case study', 'case studies'),
    countWithNoun(rows.project_media, 'media item', 'media items'),
    countWithNoun(rows.case_study_metadata, 'set of texts and tags', 'sets of texts and tags'),
    countWithNoun(rows.project_members, 'team entry', 'team entries'),
  ].join(', ');

export const countWithNoun = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;
