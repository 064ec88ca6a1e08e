import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { editing as words } from '../../../../copy/admin/project-editing.ts';
import { messageOf } from '../../../../models/data/api-error.ts';
import {
  addMember,
  type NewMember,
  type Person,
  problemWithShare,
  typedShare,
} from '../../../../models/project/team.ts';
import { clients } from '../../../../session/browser.ts';
import { Banner } from '../../../../ui/feedback/banner.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { TextField } from '../../../../ui/form/field.tsx';
import { useStatus } from '../../shell/status.tsx';
import { projectsChanged } from '../project-queries.ts';
import { FindPerson } from './find-person.tsx';

interface Typed {
  who: string;
  role: string;
  share: string;
}

const NOBODY: Typed = { who: '', role: '', share: '' };

/** Puts somebody on the team: an account that is found by name or address, or a name without an account. */
export function AddMember({ projectId, shares }: { projectId: string; shares: (number | null)[] }) {
  const cache = useQueryClient();
  const status = useStatus();
  const [typed, setTyped] = useState(NOBODY);
  const [person, setPerson] = useState<Person | null>(null);
  const [problems, setProblems] = useState<{ who?: string | null; share?: string | null }>({});
  const form = useRef<HTMLFormElement>(null);
  const focusOn = (name: keyof Typed) => form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  const adding = useMutation({
    mutationFn: (member: NewMember) => addMember(clients().data(), member),
    onSuccess: async (_, { name }) => {
      await projectsChanged(cache);
      status.say(`${person?.name ?? person?.email ?? name} is on the team.`);
      flushSync(() => {
        setTyped(NOBODY);
        setPerson(null);
      });
      focusOn('who');
    },
    onError: () => projectsChanged(cache),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    const who = typed.who.trim();
    const found = {
      who: person || who ? null : 'Write a name, or find an account by name or e-mail',
      share: problemWithShare(typed.share, shares),
    };
    setProblems(found);
    const wrong = (['who', 'share'] as const).find((name) => found[name]);
    if (wrong) focusOn(wrong);
    else if (!adding.isPending) {
      adding.mutate({
        project_id: projectId,
        user_id: person?.id ?? null,
        name: person ? person.name : who,
        role: typed.role.trim() || null,
        contribution_percentage: typedShare(typed.share),
      });
    }
  }
  const set = (change: Partial<Typed>) => setTyped((known) => ({ ...known, ...change }));
  return (
    <form className="team-form add-member" ref={form} onSubmit={submit} noValidate aria-label="Add to the team">
      {adding.error && <Banner kind="error">{messageOf(adding.error, words.failedToAdd)}</Banner>}
      <FindPerson
        typed={typed.who}
        person={person}
        error={problems.who}
        onType={(who) => set({ who })}
        onChoose={(chosen) => {
          // The field that is led to is drawn first.
          flushSync(() => setPerson(chosen));
          focusOn(chosen ? 'role' : 'who');
        }}
      />
      <TextField
        label="Role"
        name="role"
        maxLength={200}
        autoComplete="off"
        value={typed.role}
        onChange={(event) => set({ role: event.target.value })}
      />
      <TextField
        label="Share in percent"
        name="share"
        inputMode="decimal"
        autoComplete="off"
        error={problems.share}
        value={typed.share}
        onChange={(event) => set({ share: event.target.value })}
      />
      <div className="button-row">
        <Button type="submit" size="admin" variant="secondary" busy={adding.isPending} busyLabel="Adding...">
          Add to the team
        </Button>
      </div>
    </form>
  );
}
