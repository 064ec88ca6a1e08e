import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { editing as words } from '../../../../copy/admin/project-editing.ts';
import { LONGEST_LINE } from '../../../../models/data/limits.ts';
import { addMember, type Profile, problemWithShare, typedShare } from '../../../../models/project/team.ts';
import { clients } from '../../../../session/browser.ts';
import { Banner } from '../../../../ui/feedback/banner.tsx';
import { useStatus } from '../../../../ui/feedback/status.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { TextField } from '../../../../ui/form/field.tsx';
import { requireFields, textIn, useSubmit } from '../../../../ui/form/use-submit.ts';
import { projectsChanged } from '../project-queries.ts';
import { FindPerson } from './find-person.tsx';

/** Puts somebody on the team: an account that is found by name or address, or a name without an account. */
export function AddMember({ projectId, shares }: { projectId: string; shares: (number | null)[] }) {
  const cache = useQueryClient();
  const status = useStatus();
  const [who, setWho] = useState('');
  const [person, setPerson] = useState<Profile | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const { busy, failure, wrong, submit } = useSubmit(words.failedToAdd);
  const focusOn = (name: string) => form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();

  async function add(typed: FormData) {
    const share = textIn(typed, 'share');
    requireFields({
      who: !person && !who.trim() && 'Write a name, or find an account by name or e-mail',
      share: problemWithShare(share, shares),
    });
    const name = person ? person.name : who.trim();
    try {
      await addMember(clients().data(), {
        project_id: projectId,
        user_id: person?.id ?? null,
        name,
        role: textIn(typed, 'role') || null,
        contribution_percentage: typedShare(share),
      });
    } finally {
      await projectsChanged(cache);
    }
    status.say(`${person?.name ?? person?.email ?? name} is on the team.`);
  }
  function added() {
    flushSync(() => {
      setWho('');
      setPerson(null);
    });
    form.current?.reset();
    focusOn('who');
  }

  return (
    <form
      className="team-form add-member"
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
          // The field that is led to is drawn first.
          flushSync(() => setPerson(chosen));
          focusOn(chosen ? 'role' : 'who');
        }}
      />
      <TextField label="Role" name="role" maxLength={LONGEST_LINE} autoComplete="off" />
      <TextField label="Share in percent" name="share" inputMode="decimal" autoComplete="off" error={wrong['share']} />
      <div className="button-row">
        <Button type="submit" size="admin" variant="secondary" busy={busy} busyLabel="Adding...">
          Add to the team
        </Button>
      </div>
    </form>
  );
}
