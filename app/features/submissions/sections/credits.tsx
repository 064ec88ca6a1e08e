import { CreditsEditor } from '#features/credits/credits-editor.tsx';
import { creditFormWords as words } from '#lib/words/credits.ts';
import type { SubmissionForm } from '../form/form.ts';
import type { FormState } from '../form/form-state.ts';
import { Sheet } from '../sheet.tsx';

export const Credits = ({ state, form }: { state: FormState; form: SubmissionForm | null }) => (
  <Sheet number={4} title={words.optional}>
    <CreditsEditor
      id="submit-credits"
      rows={state.submission.credits}
      complain={state.failure?.field === 'credits'}
      onChange={(credits) => form?.change({ credits })}
    />
  </Sheet>
);
