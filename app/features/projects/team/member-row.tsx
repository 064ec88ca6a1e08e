import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { EditConflict } from '#lib/data/edit-conflict.ts';
import { MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import { clients } from '#session/browser.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { IconButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { requireFields } from '#ui/form/use-submit.ts';
import type { ProjectMember } from '../model/read.ts';
import { changeMember, fieldsOfMember, nameOfMember, problemWithShare, typedShare } from '../model/team.ts';
import { projectsChanged } from '../project-queries.ts';
import { editing as words } from '../words.ts';
import { Member } from './member.tsx';

export function MemberRow({
  member,
  others,
  onRemove,
}: {
  member: ProjectMember;
  others: (number | null)[];
  onRemove: () => void;
}) {
  const [changing, setChanging] = useState(false);
  const change = useRef<HTMLButtonElement>(null);
  const name = nameOfMember(member);
  return (
    <Member member={member} name={name} email={member.user?.email}>
      <div className="inline gap-0">
        <IconButton
          icon="edit"
          ref={change}
          label={`Change ${name}`}
          aria-expanded={changing}
          onClick={() => setChanging(!changing)}
        />
        <IconButton icon="trash" danger label={`Remove ${name} from the team`} onClick={onRemove} />
      </div>
      {changing && (
        <ChangeMember
          member={member}
          others={others}
          onClose={() => {
            setChanging(false);
            change.current?.focus();
          }}
        />
      )}
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
  inWords: (error, otherwise) => (error instanceof EditConflict ? words.changedMeanwhile : messageOf(error, otherwise)),
});

function ChangeMember({
  member,
  others,
  onClose,
}: {
  member: ProjectMember;
  others: (number | null)[];
  onClose: () => void;
}) {
  const cache = useQueryClient();
  const status = useStatus();
  // Initial values only: a concurrent change is reported as a conflict, not merged into the input.
  const [start] = useState(() => fieldsOfMember(member));
  async function save({ name, role, share }: Record<keyof typeof start, string>) {
    requireFields({ share: problemWithShare(share, others) });
    try {
      await changeMember(clients().data(), member, {
        name: name || null,
        role: role || null,
        contribution_percentage: typedShare(share),
      });
    } finally {
      // Reads the team again, so that the displayed sum is current.
      await projectsChanged(cache);
    }
    status.say(words.saved);
  }
  return (
    <MemberForm
      className="grid top panel pad-4 member-form"
      size="admin"
      start={start}
      save={save}
      onSaved={onClose}
      onCancel={onClose}
      submitLabel="Save"
      busyLabel="Saving..."
    />
  );
}
