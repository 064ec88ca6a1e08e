import { defineForm } from '#ui/form/define-form.tsx';
import { cleanupWords as words } from '../words/cleanup.ts';

const ConfirmForm = defineForm({
  fields: {
    confirmation: {
      label: (
        <>
          Type <code className="cleanup-words">{words.confirmation}</code> to confirm
        </>
      ),
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      autoFocus: true,
    },
  },
  check: ({ confirmation }) => ({ confirmation: confirmation !== words.confirmation && words.typeIt }),
  failed: '',
});

export const ConfirmDeletion = ({ onConfirm, onCancel }: { onConfirm: () => void; onCancel: () => void }) => (
  <ConfirmForm
    save={async () => {}}
    onSaved={onConfirm}
    onCancel={onCancel}
    submitLabel="Confirm deletion"
    submit={{ variant: 'danger', className: 'button-filled' }}
  />
);
