import { href } from 'react-router';
import { messages } from '#lib/words/messages.ts';
import { owesSecondFactor, placeAfterLink, signInPage } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { forgetAdmin } from '#session/current-user.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { CodeField } from '#ui/form/code-field.tsx';
import { EmailField } from '#ui/form/field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { LEAVING, textIn, useSubmit } from '#ui/form/use-submit.ts';
import { WorkSheet } from '#ui/work-sheet.tsx';
import { CHOOSE_PASSWORD, justInvited, mustChoosePassword } from '../model/account.ts';
import { identityMessage } from '../model/identity-error.ts';

export function CodeFromMail({ incomplete }: { incomplete: boolean }) {
  const { busy, failure, submit } = useSubmit(messages.anErrorOccurred, identityMessage);

  async function confirm(typed: FormData) {
    forgetAdmin();
    const { auth } = clients();
    const email = textIn(typed, 'email');
    const { data, error } = await auth.verifyOtp({ email, token: String(typed.get('code')), type: 'email' });
    if (error) throw error;
    const invited = data.user !== null && justInvited(data.user);
    const next = mustChoosePassword(data.session)
      ? CHOOSE_PASSWORD
      : invited
        ? `${href('/reset-password')}?invited`
        : null;
    location.replace((await owesSecondFactor()) ? signInPage(next) : await placeAfterLink(next));
    return LEAVING;
  }

  return (
    <WorkSheet title={incomplete ? 'This link is incomplete' : 'The code from your mail'}>
      {incomplete && <Banner kind="error">Open it again from the mail, or type the code from the mail here.</Banner>}
      {failure && <Banner kind="error">{failure}</Banner>}
      <form className="form-stack" method="post" onSubmit={submit(confirm)}>
        <EmailField hint="The address that the mail was sent to." />
        <CodeField label="Code" waits />
        <SubmitButton busy={busy} busyLabel="Checking...">
          Go on
        </SubmitButton>
      </form>
      <div className="work-links">
        <a href={`${href('/sign-in')}?way=mail`}>Ask for a new code</a>
        <a href={href('/reset-password')}>Ask for a new password link</a>
      </div>
    </WorkSheet>
  );
}
