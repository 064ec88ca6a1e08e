import { type FormEvent, useEffect, useRef, useState } from 'react';
import { cleanupWords as words } from '../../../copy/admin/cleanup.ts';
import { Button } from '../../../ui/form/button.tsx';
import { TextField } from '../../../ui/form/field.tsx';

/** Asks for the words to be typed, exactly. It forgets them when it goes. */
export function ConfirmDeletion({ onConfirm, onCancel }: { onConfirm: () => void; onCancel: () => void }) {
  const [wrong, setWrong] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const field = () => form.current?.querySelector('input');
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  function submit(event: FormEvent) {
    event.preventDefault();
    const exact = field()?.value === words.confirmation;
    setWrong(!exact);
    if (exact) onConfirm();
    else field()?.focus();
  }

  return (
    <form className="form-stack" ref={form} onSubmit={submit} noValidate>
      <TextField
        label={
          <>
            Type <code className="cleanup-words">{words.confirmation}</code> to confirm
          </>
        }
        name="confirmation"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        error={wrong && words.typeIt}
        onChange={() => setWrong(false)}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      />
      <div className="button-row">
        <Button type="submit" variant="danger" className="button-filled">
          Confirm Deletion
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
