import { MAX_EMAIL_LENGTH } from '#lib/data/email.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { TextField } from '#ui/form/field.tsx';
import type { SubmissionForm } from '../form/form.ts';
import type { FormState } from '../form/form-state.ts';
import { submissionWords as words } from '../words/submission.ts';

export function Contact({ state: { submission, failure }, form }: { state: FormState; form: SubmissionForm | null }) {
  const user = useSignedIn();
  if (user?.email) return <p className="submit-contact">{words.contactKnown(user.email)}</p>;
  return (
    <div className="submit-contact">
      <TextField
        id="submit-contact"
        name="contact"
        type="email"
        autoComplete="email"
        label={words.contact}
        hint={words.contactHint}
        limit={MAX_EMAIL_LENGTH}
        value={submission.contact}
        error={failure?.field === 'contact' && failure.message}
        onChange={(event) => form?.change({ contact: event.target.value })}
      />
    </div>
  );
}
