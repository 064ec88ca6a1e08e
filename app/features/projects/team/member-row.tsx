import { type ComponentProps, useRef, useState } from 'react';
import { MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import { useOpenWork } from '#ui/admin/leave-guard.tsx';
import { useReportWhenGone } from '#ui/data/use-report-when-gone.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { IconButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { requireFields } from '#ui/form/use-submit.ts';
import type { ProjectMember } from '../model/read.ts';
import { nameOfMember, problemWithShare, typedShare } from '../model/team.ts';
import type { Parts } from '../planned/use-parts.ts';
import { useRowEditor } from '../use-row-editor.ts';
import { editing as words } from '../words.ts';
import { Member } from './member.tsx';

export function MemberRow({
  member,
  others,
  onChange,
  onRemove,
}: {
  member: ProjectMember;
  others: (number | null)[];
  onChange: Parts['team']['change'];
  onRemove: () => void;
}) {
  const editor = useRowEditor();
  const name = nameOfMember(member);
  return (
    <Member member={member} name={name} email={member.user?.email}>
      <div className="inline gap-0">
        <IconButton icon="edit" label={`Change ${name}`} {...editor.button} />
        <IconButton icon="trash" danger label={`Remove ${name} from the team`} onClick={onRemove} />
      </div>
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

function ChangeMember({
  member,
  others,
  onChange,
  onClose,
}: Omit<ComponentProps<typeof MemberRow>, 'onRemove'> & { onClose: () => void }) {
  const status = useStatus();
  const reportWhenGone = useReportWhenGone(words.failedToSave);
  const [changed, setChanged] = useState(false);
  useOpenWork(changed);
  // Initial values only: a concurrent change is reported as a conflict, not merged into the input.
  const [start] = useState({
    name: member.name ?? '',
    role: member.role ?? '',
    share: member.contribution_percentage?.toString() ?? '',
  });
  const latest = useRef(member);
  latest.current = member;
  const seen = useRef(member);
  async function save({ name, role, share }: Record<keyof typeof start, string>) {
    requireFields({ share: problemWithShare(share, others) });
    const change = { name: name || null, role: role || null, contribution_percentage: typedShare(share) };
    await onChange(seen.current, change).catch((error: unknown) => {
      seen.current = latest.current;
      reportWhenGone(error);
    });
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
