import { type ComponentProps, type ReactNode, type Ref, useRef, useState } from 'react';
import { MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import { useOpenWork } from '#ui/admin/leave-guard.tsx';
import { useSeen } from '#ui/data/use-report-when-gone.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { IconButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { requireFields, useSubmit } from '#ui/form/use-submit.ts';
import { restoreFocus } from '#ui/restore-focus.ts';
import type { ProjectMember } from '../model/read.ts';
import { type MemberToAdd, nameOfMember, problemWithShare, standOf, sumOfShares, typedShare } from '../model/team.ts';
import type { Parts } from '../planned/use-parts.ts';
import { useRowEditor } from '../use-row-editor.ts';
import { editing as words } from '../words.ts';
import { AddMember } from './add-member.tsx';
import { Member } from './member.tsx';
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
          onRemove={() => remove(member)}
        />
      ))}
    </TeamSection>
  );
}

interface TeamSectionProps extends Omit<ComponentProps<typeof AddMember>, 'shares'> {
  heading: Ref<HTMLHeadingElement>;
  team: readonly Pick<ProjectMember, 'contribution_percentage'>[];
  hint?: string;
  children: ReactNode;
}

export function TeamSection({ heading, team, hint, children, ...adding }: TeamSectionProps) {
  const shares = team.map((member) => member.contribution_percentage);
  const shareSum = sumOfShares(shares);
  return (
    <section aria-labelledby="team">
      <h2 className="screen-section" id="team" ref={heading}>
        Project Team
      </h2>
      {hint && <p className="field-hint below-4">{hint}</p>}
      {team.length === 0 ? (
        <p className="empty">No team members yet.</p>
      ) : (
        <>
          <div className="stack gap-1 team-stand above-3 below-3 semibold" data-over={shareSum > 100 || undefined}>
            <p role="status">{standOf(shares)}</p>
            <meter min={0} max={100} value={Math.min(100, shareSum)} aria-label="Shares given, in percent" />
          </div>
          <ul className="hairline">{children}</ul>
        </>
      )}
      <AddMember shares={shares} {...adding} />
    </section>
  );
}

interface MemberRowProps {
  member: ProjectMember;
  others: (number | null)[];
  onChange: Parts['team']['change'];
  onRemove: () => Promise<void>;
}

function MemberRow({ member, others, onChange, onRemove }: MemberRowProps) {
  const { run } = useSubmit(words.failedToSave);
  const editor = useRowEditor();
  const name = nameOfMember(member);
  const edit = <IconButton icon="edit" label={`Change ${name}`} {...editor.button} />;
  return (
    <Member member={member} name={name} email={member.user?.email} edit={edit} onRemove={() => void run(onRemove)}>
      {editor.isOpen && <ChangeMember member={member} others={others} onChange={onChange} onClose={editor.close} />}
    </Member>
  );
}

const MemberForm = defineForm({
  fields: {
    name: { label: 'Name', autoFocus: true, maxLength: MAX_LINE_LENGTH, autoComplete: 'off' },
    role: { label: 'Role', maxLength: MAX_LINE_LENGTH, autoComplete: 'off' },
    share: { label: 'Share in percent', inputMode: 'decimal', autoComplete: 'off' },
  },
  failed: words.failedToSave,
});

type ChangeMemberProps = Omit<MemberRowProps, 'onRemove'> & { onClose: () => void };

function ChangeMember({ member, others, onChange, onClose }: ChangeMemberProps) {
  const status = useStatus();
  const [changed, setChanged] = useState(false);
  useOpenWork(changed);
  // Initial values only: a concurrent change is reported as a conflict, not merged into the input.
  const [read] = useState(member);
  const start = { name: read.name ?? '', role: read.role ?? '', share: read.contribution_percentage?.toString() ?? '' };
  const { seen, refused } = useSeen(member, words.failedToSave);
  async function save({ name, role, share }: typeof start) {
    requireFields({ share: problemWithShare(share, others) });
    const change = { name: name || null, role: role || null, contribution_percentage: typedShare(share) };
    await onChange(seen.current, change).catch(refused);
    status.say(words.saved);
  }
  return (
    <MemberForm
      className="grid top panel pad-4 full member-form"
      size="admin"
      start={start}
      save={save}
      onUnsaved={setChanged}
      onSaved={onClose}
      onCancel={onClose}
      submitLabel="Save"
      busyLabel="Saving..."
    />
  );
}
