import { messages } from '#lib/words/messages.ts';
import { defineForm } from '#ui/form/define-form.tsx';
import { LEAVING, WrongFields } from '#ui/form/use-submit.ts';
import { identityMessage } from './model/identity-error.ts';

const RecoveryForm = defineForm({
  fields: {
    recovery: {
      label: 'Recovery code',
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      enterKeyHint: 'go',
      required: true,
      autoFocus: true,
    },
  },
  failed: messages.anErrorOccurred,
});

export const SecondFactorRecovery = ({ onCode }: { onCode: (code: string) => Promise<unknown> }) => (
  <RecoveryForm
    save={async ({ recovery }) => {
      await onCode(recovery).catch((error: unknown) => {
        throw new WrongFields({ recovery: identityMessage(error, messages.anErrorOccurred) });
      });
      return LEAVING;
    }}
    submitLabel="Go on"
    busyLabel="Checking..."
  >
    <p>Take one of the codes you kept when you set up the second factor. Cross it out: it works once.</p>
  </RecoveryForm>
);
