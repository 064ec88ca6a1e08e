import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { messageOf } from '#lib/data/api-error.ts';
import { MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import { clients } from '#session/browser.ts';
import { useIsAdmin } from '#session/caller.ts';
import { useOpenWork } from '#ui/admin/leave-guard.tsx';
import { MoreButton } from '#ui/data/more-button.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { useDebounced } from '#ui/form/use-debounced.ts';
import { focusField, requireFields, textIn, useSubmit } from '#ui/form/use-submit.ts';
import { findPeople, type MemberToAdd, type Profile, problemWithShare, typedShare } from '../model/team.ts';

interface AddMemberProps {
  shares: (number | null)[];
  onStart?: (started: boolean) => void;
  onAdd: (member: Omit<MemberToAdd, 'key'>) => Promise<void>;
}

export function AddMember({ shares, onStart, onAdd }: AddMemberProps) {
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
    const { id: user_id, name, email } = person ?? { id: null, name: who.trim(), email: null };
    const role = textIn(typed, 'role') || null;
    await onAdd({ user_id, name, email, role, contribution_percentage: typedShare(share) });
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

const MIN_LETTERS = 2;

interface FindPersonProps {
  typed: string;
  person: Profile | null;
  error: string | null | undefined;
  onType: (text: string) => void;
  onChoose: (person: Profile | null) => void;
}

function FindPerson({ typed, person, error, onType, onChoose }: FindPersonProps) {
  const searchTerm = useDebounced(typed.trim(), 250);
  const isAdmin = useIsAdmin();
  const search = useInfiniteQuery({
    queryKey: ['people', searchTerm],
    queryFn: ({ pageParam }) => findPeople(clients().data(), searchTerm, pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ more }, _, page) => (more ? page + 1 : undefined),
    enabled: searchTerm.length >= MIN_LETTERS && person === null,
    staleTime: 30_000,
  });

  if (person)
    return (
      <div className="field stack gap-2">
        <span className="bold">Name or email</span>
        <p className="cluster apart gap-2 person paper anywhere">
          <span>
            <strong>{person.name ?? person.email}</strong> {person.name && person.email}
          </span>
          <SmallButton variant="quiet" onClick={() => onChoose(null)}>
            Someone else
          </SmallButton>
        </p>
      </div>
    );
  const searching = searchTerm.length >= MIN_LETTERS && typed.trim().length >= MIN_LETTERS;
  const people = searching ? (search.data?.pages.flatMap((page) => page.people) ?? []) : [];
  return (
    <div className="stack gap-1 across relative find-person">
      <TextField
        label="Name or email"
        name="who"
        hint="Choose an account from the list, or leave the name as it is for someone without one."
        maxLength={MAX_LINE_LENGTH}
        autoComplete="off"
        spellCheck={false}
        error={error}
        value={typed}
        onChange={(event) => onType(event.target.value)}
      />
      <p className="field-hint find-person-status" role="status">
        {searching && search.isFetching && 'Looking for accounts...'}
        {searching && search.isSuccess && !search.isFetching && resultText(people.length, search.hasNextPage, isAdmin)}
        {searching && search.isError && messageOf(search.error, 'Accounts could not be searched.')}
      </p>
      {people.length > 0 && (
        // Focusable, because some browsers do not focus a clicked button.
        <div className="absolute stack gap-1 paper found-accounts" tabIndex={-1}>
          <ul className="stack gap-1" aria-label="Accounts">
            {people.map((each) => (
              <li key={each.id}>
                <button className="touch full anywhere framed paper" type="button" onClick={() => onChoose(each)}>
                  <strong>{each.name ?? each.email}</strong> {each.name && each.email}
                </button>
              </li>
            ))}
          </ul>
          <MoreButton query={search}>Show more accounts</MoreButton>
        </div>
      )}
    </div>
  );
}

function resultText(count: number, more: boolean, isAdmin: boolean): string {
  if (count === 0)
    return isAdmin
      ? 'No account has this name or email.'
      : 'No one who works on your projects has this name or email. Admins find every account.';
  return `${more ? 'The first ' : ''}${count} ${count === 1 ? 'account' : 'accounts'} found.`;
}
