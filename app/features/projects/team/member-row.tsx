import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { EditConflict } from '#lib/data/edit-conflict.ts';
import { LONGEST_LINE } from '#lib/data/limits.ts';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { TextField } from '#ui/form/field.tsx';
import { SaveOrCancel } from '#ui/form/save-or-cancel.tsx';
import { requireFields, textIn, useSubmit } from '#ui/form/use-submit.ts';
import { Icon } from '#ui/icon.tsx';
import type { ProjectMember } from '../model/read.ts';
import { changeMember, fieldsOfMember, nameOfMember, problemWithShare, typedShare } from '../model/team.ts';
import { projectsChanged } from '../project-queries.ts';
import { editing as words } from '../words.ts';

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
    <li className="row member">
      <div className="row-words">
        <strong>{member.role ?? 'Member'}</strong>
        <span className="row-meta">{name}</span>
        {member.user?.email && member.user.email !== name && <span className="row-meta">{member.user.email}</span>}
      </div>
      {member.contribution_percentage !== null && <span className="amount">{member.contribution_percentage}%</span>}
      <div className="row-actions">
        <button
          type="button"
          ref={change}
          className="icon-button"
          aria-label={`Change ${name}`}
          aria-expanded={changing}
          onClick={() => setChanging(!changing)}
        >
          <Icon name="edit" />
        </button>
        <button
          type="button"
          className="icon-button icon-button-danger"
          aria-label={`Remove ${name} from the team`}
          onClick={onRemove}
        >
          <Icon name="trash" />
        </button>
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
    </li>
  );
}

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
  // The initial values: a concurrent change is reported as a conflict, not merged into the input.
  const [start] = useState(() => fieldsOfMember(member));
  const { busy, failure, wrong, submit } = useSubmit(words.failedToSave, (error, otherwise) =>
    error instanceof EditConflict ? words.changedMeanwhile : messageOf(error, otherwise),
  );

  async function save(typed: FormData) {
    const share = textIn(typed, 'share');
    requireFields({ share: problemWithShare(share, others) });
    try {
      await changeMember(clients().data(), member, {
        name: textIn(typed, 'name') || null,
        role: textIn(typed, 'role') || null,
        contribution_percentage: typedShare(share),
      });
    } finally {
      // Shares may have changed in the meantime: the displayed sum must be current.
      await projectsChanged(cache);
    }
    status.say(words.saved);
  }
  const field = (name: keyof typeof start) => ({ name, defaultValue: start[name], autoComplete: 'off' });
  return (
    <form
      className="team-form member-form"
      onSubmit={submit(save, onClose)}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      noValidate
    >
      {failure && <Banner kind="error">{failure}</Banner>}
      <TextField label="Name" autoFocus maxLength={LONGEST_LINE} {...field('name')} />
      <TextField label="Role" maxLength={LONGEST_LINE} {...field('role')} />
      <TextField label="Share in percent" inputMode="decimal" error={wrong['share']} {...field('share')} />
      <SaveOrCancel busy={busy} onCancel={onClose} />
    </form>
  );
}
