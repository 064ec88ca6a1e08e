import { CLEANUP_STEPS, type CleanupStep } from '../../../models/cleanup.ts';

const NAMES: Record<CleanupStep, string> = {
  project_media: 'Media items',
  case_study_metadata: 'Sets of texts and tags',
  project_members: 'Team entries',
  projects: 'Case studies',
};

/** How far the deletion has come: by step, the rows it deleted, or null while it is at it. */
export type Progress = Partial<Record<CleanupStep, number | null>>;

/** What will go, in the order it goes, with how many there are; while it goes, how far that has come. */
export const CountedList = ({
  rows,
  progress,
}: {
  rows: Record<CleanupStep, number> | null;
  progress: Progress | null;
}) => (
  <ol className="cleanup-list">
    {CLEANUP_STEPS.map((step) => {
      const state = !progress || !(step in progress) ? 'waiting' : progress[step] === null ? 'going' : 'gone';
      return (
        <li key={step} data-state={state}>
          <span className="cleanup-count amount">{progress?.[step] ?? rows?.[step] ?? '–'}</span>
          <span>{NAMES[step]}</span>
          {progress && <span className="cleanup-state">{STATES[state]}</span>}
        </li>
      );
    })}
  </ol>
);

const STATES = { waiting: 'Waiting', going: 'Deleting...', gone: 'Deleted' };

/** The same in one sentence: "24 case studies, 81 media items, …". */
export const inWords = (rows: Record<CleanupStep, number>): string =>
  [
    counted(rows.projects, 'case study', 'case studies'),
    counted(rows.project_media, 'media item', 'media items'),
    counted(rows.case_study_metadata, 'set of texts and tags', 'sets of texts and tags'),
    counted(rows.project_members, 'team entry', 'team entries'),
  ].join(', ');

export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
