import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import { useOpenWork } from '#ui/admin/leave-guard.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { focusField, requireFields, textIn, useSubmit } from '#ui/form/use-submit.ts';
import { type MemberToAdd, type Profile, problemWithShare, typedShare } from '../model/team.ts';
import { FindPerson } from './find-person.tsx';

export function AddMember({
  shares,
  onStart,
  onAdd,
}: {
  shares: (number | null)[];
  onStart?: (started: boolean) => void;
  onAdd: (member: Omit<MemberToAdd, 'key'>) => Promise<void>;
}) {
  const [who, setWho] = useState('');
  const [person, setPerson] = useState<Profile | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const hasInput = person !== null || who.trim() !== '';
  useEffect(() => onStart?.(hasInput), [onStart, hasInput]);
  useOpenWork(hasInput);
  const { busy, failure, wrong, submit } = useSubmit('The team member was not added.');

  async function add(typed: FormData) {
    const share = textIn(typed, 'share');
    requireFields({
      who: !person && !who.trim() && 'Write a name, or find an account by name or email',
      share: problemWithShare(share, shares),
    });
    const name = person ? person.name : who.trim();
    await onAdd({
      user_id: person?.id ?? null,
      name,
      email: person?.email ?? null,
      role: textIn(typed, 'role') || null,
      contribution_percentage: typedShare(share),
    });
  }
  function added() {
    flushSync(() => {
      setWho('');
      setPerson(null);
    });
    form.current?.reset();
    focusField(form.current, 'who');
  }

  return (
    <form
      className="grid top panel pad-4 gap-above"
      ref={form}
      onSubmit={submit(add, added)}
      noValidate
      aria-label="Add to the team"
    >
      {failure && <Banner kind="error">{failure}</Banner>}
      <FindPerson
        typed={who}
        person={person}
        error={wrong['who']}
        onType={setWho}
        onChoose={(chosen) => {
          // The field to focus has to be rendered first.
          flushSync(() => setPerson(chosen));
          focusField(form.current, chosen ? 'role' : 'who');
        }}
      />
      <TextField label="Role" name="role" maxLength={MAX_LINE_LENGTH} autoComplete="off" />
      <TextField label="Share in percent" name="share" inputMode="decimal" autoComplete="off" error={wrong['share']} />
      <div className="button-row across">
        <SmallButton type="submit" busy={busy} busyLabel="Adding...">
          Add to the team
        </SmallButton>
      </div>
    </form>
  );
}
