import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type Ref, useRef } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { clients } from '#session/browser.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { restoreFocus } from '#ui/restore-focus.ts';
import type { ProjectInFull, ProjectMember } from '../model/read.ts';
import { addMember, type MemberToAdd, nameOfMember, removeMember, standOf, sumOfShares } from '../model/team.ts';
import { projectsChanged } from '../project-queries.ts';
import { editing as words } from '../words.ts';
import { AddMember } from './add-member.tsx';
import { MemberRow } from './member-row.tsx';
import '../projects.css';

export function Team({ project }: { project: ProjectInFull }) {
  const { project_members: team } = project;
  const cache = useQueryClient();
  const status = useStatus();
  const heading = useRef<HTMLHeadingElement>(null);

  async function add({ email, ...member }: Omit<MemberToAdd, 'key'>) {
    try {
      await addMember(clients().data(), { ...member, project_id: project.id });
    } finally {
      await projectsChanged(cache);
    }
    status.say(`${member.name ?? email ?? ''} is on the team.`);
  }

  async function remove(member: ProjectMember) {
    const data = clients().data();
    let reportRemoved: () => void;
    try {
      const removed = await removeMember(data, member.id);
      const undo = async () => {
        await addMember(data, removed);
        await projectsChanged(cache);
      };
      reportRemoved = () => status.say(`${nameOfMember(member)} removed from the team.`, { undo });
    } catch (error) {
      reportRemoved = () => status.complain(messageOf(error, 'The team member was not removed.'));
    }
    await projectsChanged(cache);
    reportRemoved();
    // The clicked button was removed with the member's row.
    restoreFocus(heading.current);
  }

  return (
    <TeamSection
      heading={heading}
      team={team}
      hint={words.savedAtOnce}
      adding={<AddMember shares={team.map((member) => member.contribution_percentage)} onAdd={add} />}
    >
      {team.map((member) => (
        <MemberRow
          key={member.id}
          member={member}
          others={team.filter((other) => other !== member).map((other) => other.contribution_percentage)}
          onRemove={() => void remove(member)}
        />
      ))}
    </TeamSection>
  );
}

export const TeamSection = ({
  heading,
  team,
  hint,
  children,
  adding,
}: {
  heading: Ref<HTMLHeadingElement>;
  team: readonly Pick<ProjectMember, 'contribution_percentage'>[];
  hint?: string;
  children: ReactNode;
  adding: ReactNode;
}) => (
  <section aria-labelledby="team">
    <h2 className="screen-section" id="team" ref={heading}>
      Project Team
    </h2>
    {hint && <p className="field-hint">{hint}</p>}
    {team.length === 0 ? (
      <p className="empty">No team members yet.</p>
    ) : (
      <>
        <TeamShares team={team} />
        <ul className="hairline">{children}</ul>
      </>
    )}
    {adding}
  </section>
);

function TeamShares({ team }: { team: readonly Pick<ProjectMember, 'contribution_percentage'>[] }) {
  const shareSum = sumOfShares(team.map(({ contribution_percentage }) => contribution_percentage));
  return (
    <div className="stack gap-1 team-stand semibold" data-over={shareSum > 100 || undefined}>
      <p role="status">{standOf(team)}</p>
      <meter min={0} max={100} value={Math.min(100, shareSum)} aria-label="Shares given, in percent" />
    </div>
  );
}
