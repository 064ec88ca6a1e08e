import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { editing as words } from '../../../../copy/admin/project-editing.ts';
import { messageOf } from '../../../../models/data/api-error.ts';
import { EditConflict } from '../../../../models/data/edit-conflict.ts';
import type { ProjectMember } from '../../../../models/project/record.ts';
import {
  changeMember,
  fieldsOfMember,
  nameOfMember,
  problemWithShare,
  typedShare,
} from '../../../../models/project/team.ts';
import { clients } from '../../../../session/browser.ts';
import { Banner } from '../../../../ui/feedback/banner.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { TextField } from '../../../../ui/form/field.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { useStatus } from '../../shell/status.tsx';
import { projectsChanged } from '../project-queries.ts';

/** One member of a team, read or changed in place. */
export function MemberRow({
  member,
  others,
  onRemove,
}: {
  member: ProjectMember;
  /** Shares of everybody else. */
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
  const [fields, setFields] = useState(() => fieldsOfMember(member));
  const [problem, setProblem] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const saving = useMutation({
    mutationFn: (share: number | null) =>
      changeMember(clients().data(), member, {
        name: fields.name.trim() || null,
        role: fields.role.trim() || null,
        contribution_percentage: share,
      }),
    onSuccess: async () => {
      await projectsChanged(cache);
      status.say(words.saved);
      onClose();
    },
    // Somebody else may have given shares meanwhile: the sum on the screen is to be the true one.
    onError: () => projectsChanged(cache),
  });
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  function submit(event: FormEvent) {
    event.preventDefault();
    const found = problemWithShare(fields.share, others);
    setProblem(found);
    if (found) form.current?.querySelector<HTMLElement>('[name="share"]')?.focus();
    else if (!saving.isPending) saving.mutate(typedShare(fields.share));
  }
  const failed =
    saving.error &&
    (saving.error instanceof EditConflict ? words.changedMeanwhile : messageOf(saving.error, words.failedToSave));
  const field = (name: keyof typeof fields) => ({
    name,
    value: fields[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => setFields({ ...fields, [name]: event.target.value }),
  });
  return (
    <form
      className="team-form member-form"
      ref={form}
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      noValidate
    >
      {failed && <Banner kind="error">{failed}</Banner>}
      <TextField label="Name" maxLength={200} {...field('name')} />
      <TextField label="Role" maxLength={200} {...field('role')} />
      <TextField label="Share in percent" inputMode="decimal" error={problem} {...field('share')} />
      <div className="button-row">
        <Button type="submit" size="admin" busy={saving.isPending} busyLabel="Saving...">
          Save
        </Button>
        <Button size="admin" variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
