import { href } from 'react-router';
import { countText } from '#features/reviews/model/review.ts';
import { useCount } from '#features/reviews/review-queries.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { admin } from '#lib/words/admin.ts';
import { LinkButton } from '#ui/form/button.tsx';
import { ProjectScreen } from './project-list.tsx';
import { useDraftCount } from './project-queries.ts';

export const meta = privateTags('Manage Mad Experiments');

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
        {
          kind: 'chip',
          label: 'Needs review',
          value: { review: 'waiting', status: null },
          count: waiting?.reviews ? countText(waiting) : null,
        },
        {
          kind: 'chip',
          label: admin.notFinished,
          value: { review: 'unfinished', status: null },
          count: unfinished?.reviews ? countText(unfinished) : null,
        },
        {
          kind: 'chip',
          label: 'All drafts',
          value: { review: null, status: 'draft' },
          count: drafts ? drafts.toLocaleString('en') : null,
        },
      ]}
    />
  );
}
