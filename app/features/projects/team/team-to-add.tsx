import { useRef } from 'react';
import { newId } from '#lib/data/ids.ts';
import { Icon } from '#ui/icon.tsx';
import { restoreFocus } from '#ui/restore-focus.ts';
import type { MemberToAdd } from '../model/team.ts';
import { editing as words } from '../words.ts';
import { AddMember } from './add-member.tsx';
import { TeamShares } from './team.tsx';
import '../projects.css';

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
    <section className="team" aria-labelledby="team">
      <h2 className="screen-section" id="team" ref={heading}>
        {words.team}
      </h2>
      {team.length > 0 && (
        <>
          <TeamShares team={team} />
          <ul className="hairline" aria-label="Team to add">
            {team.map(({ key, name, email, role, contribution_percentage: share }) => (
              <li className="row cluster member" key={key}>
                <div className="row-words">
                  <strong>{role ?? 'Member'}</strong>
                  <span className="row-meta">{name ?? email}</span>
                  {name && email && <span className="row-meta">{email}</span>}
                </div>
                {share !== null && <span className="amount">{share}%</span>}
                <div className="inline gap-0">
                  <button
                    type="button"
                    className="icon-button icon-button-danger"
                    aria-label={`Remove ${name ?? email} from the team`}
                    onClick={() => {
                      onTeam((known) => known.filter((other) => other.key !== key));
                      // The clicked button is gone with its row.
                      restoreFocus(heading.current);
                    }}
                  >
                    <Icon name="trash" />
                  </button>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      <AddMember
        shares={team.map((member) => member.contribution_percentage)}
        onStart={onStart}
        onAdd={async (member) => onTeam((known) => [...known, { ...member, key: newId() }])}
      />
    </section>
  );
}
