import { type ComponentProps, type ReactNode, type Ref, useRef } from 'react';
import { useStatus } from '#ui/feedback/status.tsx';
import { restoreFocus } from '#ui/restore-focus.ts';
import type { ProjectMember } from '../model/read.ts';
import { type MemberToAdd, nameOfMember, standOf, sumOfShares } from '../model/team.ts';
import type { Parts } from '../planned/use-parts.ts';
import { AddMember } from './add-member.tsx';
import { MemberRow } from './member-row.tsx';
import '../projects.css';

export function Team({ team: { list: team, hint, ...writes } }: { team: Parts['team'] }) {
  const { say, report } = useStatus();
  const heading = useRef<HTMLHeadingElement>(null);

  async function add({ email, ...member }: Omit<MemberToAdd, 'key'>) {
    await writes.add(member);
    say(`${member.name ?? email ?? ''} is on the team.`);
  }

  async function remove(member: ProjectMember) {
    await report(writes.remove(member), 'The team member was not removed.', (undo) =>
      say(`${nameOfMember(member)} removed from the team.`, { undo }),
    );
    restoreFocus(heading.current);
  }

  return (
    <TeamSection heading={heading} team={team} hint={hint} onAdd={add}>
      {team.map((member) => (
        <MemberRow
          key={member.id}
          member={member}
          onChange={writes.change}
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
  ...adding
}: {
  heading: Ref<HTMLHeadingElement>;
  team: readonly Pick<ProjectMember, 'contribution_percentage'>[];
  hint?: string;
  children: ReactNode;
} & Omit<ComponentProps<typeof AddMember>, 'shares'>) => (
  <section aria-labelledby="team">
    <h2 className="screen-section" id="team" ref={heading}>
      Project Team
    </h2>
    {hint && <p className="field-hint below-4">{hint}</p>}
    {team.length === 0 ? (
      <p className="empty">No team members yet.</p>
    ) : (
      <>
        <TeamShares team={team} />
        <ul className="hairline">{children}</ul>
      </>
    )}
    <AddMember shares={team.map((member) => member.contribution_percentage)} {...adding} />
  </section>
);

function TeamShares({ team }: { team: readonly Pick<ProjectMember, 'contribution_percentage'>[] }) {
  const shareSum = sumOfShares(team.map(({ contribution_percentage }) => contribution_percentage));
  return (
    <div className="stack gap-1 team-stand above-3 below-3 semibold" data-over={shareSum > 100 || undefined}>
      <p role="status">{standOf(team)}</p>
      <meter min={0} max={100} value={Math.min(100, shareSum)} aria-label="Shares given, in percent" />
    </div>
  );
}
