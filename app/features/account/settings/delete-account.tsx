import { useRef, useState } from 'react';
import { href } from 'react-router';
import { inMoney } from '#features/splits/model/sheet.ts';
import { useEarnings } from '#features/splits/statements/earnings.tsx';
import { reasonOf } from '#lib/data/api-error.ts';
import { readOne } from '#lib/data/rows.ts';
import { clients } from '#session/browser.ts';
import { signOut } from '#session/current-user.ts';
import { writeStored } from '#session/stored.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { confirmField } from '#ui/form/confirm-field.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { NAVIGATING } from '#ui/form/use-submit.ts';
import { DayTime } from '#ui/time.tsx';
import { DELETED } from '../model/account.ts';
import { needsSignIn, SignInHere } from '../sign-in-here.tsx';
import { AccountNote, AccountPart } from './part.tsx';

const CONFIRMATION = 'DELETE';

const DeleteForm = defineForm({
  fields: { typed: confirmField(CONFIRMATION) },
  check: ({ typed }) => ({ typed: typed !== CONFIRMATION && `Please type "${CONFIRMATION}" to confirm` }),
  failed: 'Your account was not deleted.',
  inWords: reasonOf,
});

const CONSEQUENCES = {
  'What goes': [
    'Your name, email address, password, second factors and roles. You are signed out everywhere.',
    'Your drafts go to the trash, and are deleted when it is emptied. Drafts of the agency’s team stay with the agency.',
  ],
  'What stays': [
    'Your published experiments, without your account, and your name where it is credited.',
    'Issued statements and their payments with the name on them, because they are accounting records. You can no longer read them here: download your data first.',
    'Messages you sent us, and the log of what you did, for as long as we keep those of everyone.',
  ],
};

export function DeleteAccount() {
  const [open, setOpen] = useState(false);
  const [again, setAgain] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  async function deleteAccount({ typed }: { typed: string }) {
    setAgain(false);
    try {
      await readOne(clients().data().rpc('delete_account', { p_typed: typed }));
    } catch (error) {
      setAgain(needsSignIn(error));
      throw error;
    }
    await signOut().catch(() => null);
    writeStored('sessionStorage', DELETED, 'yes');
    location.assign(href('/sign-out'));
    return NAVIGATING;
  }

  function close() {
    setOpen(false);
    setAgain(false);
    setTimeout(() => button.current?.focus());
  }

  return (
    <AccountPart title="Delete your account">
      {open ? (
        <>
          {Object.entries(CONSEQUENCES).map(([title, items]) => (
            <div className="stack gap-2" key={title}>
              <h3 className="slip">{title}</h3>
              <ul className="stack gap-2">
                {items.map((item) => (
                  <li className="account-small" key={item}>
                    {item}
                  </li>
                ))}
              </ul>
            </div>
          ))}
          <DueInstalments />
          <DeleteForm
            save={deleteAccount}
            onCancel={close}
            submitLabel="Delete my account"
            busyLabel="Deleting..."
            submit={{ variant: 'danger', className: 'button-filled' }}
          />
          {again && (
            <SignInHere title="Sign in again" onSignedIn={() => setAgain(false)}>
              Then confirm once more. Nothing has been deleted.
            </SignInHere>
          )}
        </>
      ) : (
        <>
          <AccountNote>You see what goes and what stays before you confirm.</AccountNote>
          <div className="button-row">
            <Button ref={button} variant="danger" onClick={() => setOpen(true)}>
              Delete account
            </Button>
          </div>
        </>
      )}
    </AccountPart>
  );
}

function DueInstalments() {
  const { data: years = [], error } = useEarnings();
  const due = years.flatMap(({ currency, instalments }) =>
    instalments.filter(({ paid }) => !paid).map((instalment) => ({ ...instalment, currency })),
  );
  if (error) return <Banner kind="error">{reasonOf(error, 'Your due instalments could not be loaded.')}</Banner>;
  if (due.length === 0) return null;
  return (
    <Banner kind="warning">
      <p>These instalments are still due. We pay them without your account, but you no longer see them here.</p>
      <ul>
        {due.map((one) => (
          <li key={`${one.statement}.${one.place}`}>
            {inMoney(BigInt(one.amount), one.currency)}, due <DayTime at={one.day} />: {one.project}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
