import { href } from 'react-router';
import { clients } from '#session/browser.ts';
import { Button, LinkButton } from '#ui/form/button.tsx';
import { accountPage as words } from '../words.ts';
import { AccountPart, checked, useAccountSubmit } from './part.tsx';

export function AccountElsewhere() {
  const act = useAccountSubmit();
  const signOut = () =>
    act.run(async () => checked(await clients().auth.signOut({ scope: 'others' })), words.elsewhereDone);
  return (
    <AccountPart title="Other devices" done={act.done} failure={act.failure}>
      <p className="account-small">{words.elsewhereIntro}</p>
      <div className="button-row">
        <Button variant="secondary" busy={act.busy} busyLabel="Signing out..." onClick={() => void signOut()}>
          Sign out everywhere else
        </Button>
        <LinkButton variant="secondary" href={href('/sign-out')}>
          Sign out here
        </LinkButton>
      </div>
    </AccountPart>
  );
}
