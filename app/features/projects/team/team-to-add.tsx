import { useRef } from 'react';
import { newId } from '#lib/data/ids.ts';
import { IconButton } from '#ui/form/button.tsx';
import { restoreFocus } from '#ui/restore-focus.ts';
import type { MemberToAdd } from '../model/team.ts';
import { Member } from './member.tsx';
import { TeamSection } from './team.tsx';

export function TeamToAdd({
  team,
  onTeam,
  onStart,
}: {
  team: MemberToAdd[];
  onTeam: (change: (known: MemberToAdd[]) => MemberToAdd[]) => void;
  onStart: (started: boolean) => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <TeamSection
      heading={heading}
      team={team}
      onStart={onStart}
      onAdd={async (member) => onTeam((known) => [...known, { ...member, key: newId() }])}
    >
      {team.map((member) => {
        const name = member.name ?? member.email ?? '';
        return (
          <Member key={member.key} member={member} name={name} email={member.email}>
            <div className="inline gap-0">
              <IconButton
                icon="trash"
                danger
                label={`Remove ${name} from the team`}
                onClick={() => {
                  onTeam((known) => known.filter(({ key }) => key !== member.key));
                  restoreFocus(heading.current);
                }}
              />
            </div>
          </Member>
        );
      })}
    </TeamSection>
  );
}
