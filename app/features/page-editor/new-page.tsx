import { type FormEvent, useRef } from 'react';
import { href, useNavigate } from 'react-router';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { addressField } from './address.tsx';
import { MAX_TITLE_LENGTH, suggestedPath } from './model/pages.ts';
import { useCreatePage } from './page-queries.ts';
import { pageEditor as words } from './words.ts';

const Fields = defineForm({
  fields: {
    title: { label: 'Title', required: true, autoComplete: 'off', maxLength: MAX_TITLE_LENGTH, autoFocus: true },
    path: addressField,
  },
  check: ({ title, path }) => ({ title: !title && 'Please enter a title', path: !path && 'Please enter an address' }),
  failed: 'The page was not created.',
  inWords: words.reasonOf,
  fieldOf: (failure) => (/\baddress\b/.test(failure) ? 'path' : null),
});

export function NewPage({ open, onClose }: { open: boolean; onClose: () => void }) {
  const creation = useCreatePage();
  const navigate = useNavigate();
  const typedIn = useRef<HTMLFormElement>(null);

  function suggestAddress({ target }: FormEvent) {
    const { name, value, form } = target as HTMLInputElement;
    const path = form?.elements.namedItem('path') as HTMLInputElement;
    if (name === 'path') typedIn.current = value === '' ? null : form;
    else if (typedIn.current !== form) path.value = suggestedPath(value);
  }

  return (
    <Dialog open={open} title={words.new} busy={creation.isPending} onCancel={onClose}>
      <Fields
        inDialog
        save={(page) => creation.mutateAsync(page)}
        onSaved={(id) => void navigate(href('/admin/pages/:id', { id }))}
        onCancel={onClose}
        submitLabel="Create page"
        busyLabel="Creating..."
      >
        {(field, failure) => (
          <div className="form-stack gap-above" onInput={suggestAddress}>
            {field('title')}
            {field('path')}
            {failure}
          </div>
        )}
      </Fields>
    </Dialog>
  );
}
