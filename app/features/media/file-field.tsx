import type { ReactNode } from 'react';
import { Field } from '#ui/form/field.tsx';

/** Choosing the same file again counts as a choice, so the input is emptied after each. */
export const FileField = ({
  label,
  hint,
  error,
  onChoose,
  ...input
}: {
  label: ReactNode;
  hint: string;
  error?: string | null;
  accept: string;
  multiple?: boolean;
  disabled?: boolean;
  onChoose: (files: File[]) => void;
}) => (
  <Field label={label} hint={hint} error={error}>
    {(aria) => (
      <input
        {...aria}
        {...input}
        className="field-input"
        type="file"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = '';
          if (files.length > 0) onChoose(files);
        }}
      />
    )}
  </Field>
);
