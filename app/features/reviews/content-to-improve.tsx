import { type RefObject, useState } from 'react';
import { href, Link } from 'react-router';
import { DescribeMedia } from '#features/projects/media/describe-media.tsx';
import type { Project, ProjectInFull } from '#features/projects/model/read.ts';
import { nameOfMedia } from '#features/projects/model/versions/version-difference.ts';
import { useParts } from '#features/projects/planned/use-parts.ts';
import { useProject } from '#features/projects/project-queries.ts';
import { SmallButton } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { ContentChecks } from './checks/content-checks.tsx';
import { type ContentCheck, experimentChecks, hashOf } from './model/content-checks.ts';
import { contentWords as words } from './words/content-checks.ts';

export function ContentToImprove({
  experiment,
  checklist,
}: {
  experiment: Project;
  checklist: RefObject<HTMLElement | null>;
}) {
  const [fixing, setFixing] = useState<string | null>(null);
  const checks = experimentChecks(experiment);
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
      way={(check) => (
        <ProblemFix
          check={check}
          project={experiment.id}
          open={fixing === check.id}
          onOpen={() => setFixing(check.id)}
          onClose={() => {
            setFixing(null);
            // Focuses the start of the list, which no longer contains the fixed item.
            checklist.current?.focus();
          }}
        />
      )}
    />
  );
}

function ProblemFix({
  check: { words: said, place },
  project,
  open,
  onOpen,
  onClose,
}: {
  check: ContentCheck;
  project: string;
  open: boolean;
  onOpen: () => void;
  onClose: () => void;
}) {
  if ('text' in place)
    return (
      <Link
        to={`${href('/admin/projects/:id/edit', { id: project })}#${hashOf(place)}`}
        aria-label={`${words.fix}: ${said}`}
      >
        {words.fix}
      </Link>
    );
  if (open) return <DescribeHere project={project} media={place.media} onClose={onClose} />;
  return (
    <SmallButton aria-label={`${words.fix}: ${said}`} onClick={onOpen}>
      {words.fix}
    </SmallButton>
  );
}

function DescribeHere({ project, ...described }: { project: string; media: string; onClose: () => void }) {
  const { data } = useProject(project);
  return data ? <DescribeIn project={data} {...described} /> : <p role="status">Loading…</p>;
}

function DescribeIn({ project, media, onClose }: { project: ProjectInFull; media: string; onClose: () => void }) {
  const { list, describe } = useParts(project, false).media;
  const item = list.find(({ id }) => id === media);
  return item && <DescribeMedia media={item} name={nameOfMedia(item)} describe={describe} onClose={onClose} />;
}
