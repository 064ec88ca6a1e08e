import { type RefObject, useState } from 'react';
import { href, Link } from 'react-router';
import { DescribeMedia } from '#features/projects/media/describe-media.tsx';
import type { Project, ProjectInFull } from '#features/projects/model/read.ts';
import { nameOfMedia } from '#features/projects/model/versions/version-difference.ts';
import { useParts } from '#features/projects/planned/use-parts.ts';
import { useProject } from '#features/projects/project-queries.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { ContentChecks } from './checks/content-checks.tsx';
import { experimentChecks, hashOf } from './model/content-checks.ts';
import { contentWords as words } from './words/content-checks.ts';

type ContentToImproveProps = { experiment: Project; checklist: RefObject<HTMLElement | null> };

export function ContentToImprove({ experiment, checklist }: ContentToImproveProps) {
  const [fixing, setFixing] = useState<string | null>(null);
  const checks = experimentChecks(experiment);
  const close = () => {
    setFixing(null);
    // Focuses the start of the list, which no longer contains the fixed item.
    checklist.current?.focus();
  };
  if (checks.length === 0)
    return (
      <p className="inline gap-2 touch">
        <Icon name="check" /> Nothing left to improve: every picture says what it shows, and the texts are in order.
      </p>
    );
  return (
    <ContentChecks
      checks={checks}
      why="Readers who do not see the pictures, or who listen to the texts, would miss them."
      way={({ id, words: said, place }) => {
        const label = `${words.fix}: ${said}`;
        if ('text' in place)
          return (
            <Link to={`${href('/admin/projects/:id/edit', { id: experiment.id })}#${hashOf(place)}`} aria-label={label}>
              {words.fix}
            </Link>
          );
        if (fixing === id) return <DescribeHere project={experiment.id} media={place.media} onClose={close} />;
        return (
          <SmallButton aria-label={label} onClick={() => setFixing(id)}>
            {words.fix}
          </SmallButton>
        );
      }}
    />
  );
}

type Described = { media: string; onClose: () => void };

const DescribeHere = ({ project, ...described }: Described & { project: string }) => (
  <Loaded query={useProject(project)} loading="Loading" failed="Failed to load it.">
    {(data) => data && <DescribeIn project={data} {...described} />}
  </Loaded>
);

function DescribeIn({ project, media, onClose }: Described & { project: ProjectInFull }) {
  const { list, describe } = useParts(project, false).media;
  const item = list.find(({ id }) => id === media);
  return item && <DescribeMedia media={item} name={nameOfMedia(item)} describe={describe} onClose={onClose} />;
}
