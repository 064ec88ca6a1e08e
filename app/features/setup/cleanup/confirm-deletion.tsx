import { Button } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { requireFields, useSubmit } from '#ui/form/use-submit.ts';
import { cleanupWords as words } from '../words/cleanup.ts';

export function ConfirmDeletion({ onConfirm, onCancel }: { onConfirm: () => void; onCancel: () => void }) {
  const { wrong, settle, submit } = useSubmit('');

  async function check(typed: FormData) {
    requireFields({ confirmation: typed.get('confirmation') !== words.confirmation && words.typeIt });
  }

  return (
    <form className="form-stack" onSubmit={submit(check, onConfirm)} noValidate>
      <TextField
        label={
          <>
            Type <code className="cleanup-words">{words.confirmation}</code> to confirm
          </>
        }
        name="confirmation"
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        error={wrong['confirmation']}
        onChange={() => settle('confirmation')}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      />
      <div className="button-row">
        <Button type="submit" variant="danger" className="button-filled">
          Confirm deletion
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
