import type { ReactNode } from 'react';
import { href } from 'react-router';
import { countText } from '#features/reviews/model/review.ts';
import { useCount } from '#features/reviews/review-queries.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { admin } from '#lib/words/admin.ts';
import { LinkButton } from '#ui/form/button.tsx';
import { ProjectScreen } from './project-list.tsx';
import { useDraftCount } from './project-queries.ts';

export const meta = privateTags('Manage Mad Experiments');

const chip = <Value,>(label: string, value: Value, count: ReactNode) =>
  ({ kind: 'chip', label, value, count: count || null }) as const;

export default function CaseStudies() {
  const waiting = useCount('waiting').data;
  const unfinished = useCount('unfinished').data;
  const drafts = useDraftCount().data;
  return (
    <ProjectScreen
      as="experiment"
      title="Manage Mad Experiments"
      about="The same records as under Projects. On the site, the published ones are called Mad Experiments."
      actions={
        <LinkButton size="admin" href={href('/case-study-upload')}>
          New Experiment
        </LinkButton>
      }
      filters={[
        chip('Needs review', { review: 'waiting', status: null }, waiting?.reviews && countText(waiting)),
        chip(admin.notFinished, { review: 'unfinished', status: null }, unfinished?.reviews && countText(unfinished)),
        chip('All drafts', { review: null, status: 'draft' }, drafts ? drafts.toLocaleString('en') : null),
      ]}
    />
  );
}
