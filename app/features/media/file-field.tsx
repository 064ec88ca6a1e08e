import type { ComponentProps, ReactNode } from 'react';
import { Field } from '#ui/form/field.tsx';

type FileInputProps = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & { onChoose: (files: File[]) => void };

type FileFieldProps = FileInputProps & { label: ReactNode; hint: string; error?: string | null };

export const FileField = ({ label, hint, error, ...input }: FileFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(aria) => <FileInput {...aria} {...input} className="field-input" />}
  </Field>
);

/** Choosing the same file again counts as a choice, so the input is emptied after each. */
export const FileInput = ({ onChoose, ...input }: FileInputProps) => (
  <input
    {...input}
    type="file"
    onChange={({ target }) => {
      const files = [...(target.files ?? [])];
      target.value = '';
      if (files.length > 0) onChoose(files);
    }}
  />
);
