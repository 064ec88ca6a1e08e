import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';

/** What the control inside a field has to carry. */
export interface FieldAria {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  required: boolean | undefined;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  /** The control's id; generated when left out. */
  id?: string;
}

/** Label, hint and error around one control, tied together for assistive technology. */
export function Field({
  label,
  hint,
  error,
  required,
  id: givenId,
  children,
}: FieldProps & { children: (aria: FieldAria) => ReactNode }) {
  const generated = useId();
  const id = givenId ?? generated;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
        {required && <span className="field-required" aria-hidden="true" />}
      </label>
      {hint && (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
        required: required || undefined,
      })}
      {error && (
        <span className="field-error" id={`${id}-error`} role="alert">
          {error}
        </span>
      )}
    </div>
  );
}

export const TextField = ({
  label,
  hint,
  error,
  required,
  id,
  className = '',
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) => (
  <Field label={label} hint={hint} error={error} required={required} id={id}>
    {(aria) => <input type="text" {...input} {...aria} className={`field-input ${className}`.trim()} />}
  </Field>
);

/** An account's address, as password managers know it. */
export const EmailField = (props: Partial<FieldProps> & InputHTMLAttributes<HTMLInputElement>) => (
  <TextField
    label="Email"
    name="email"
    type="email"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    required
    {...props}
  />
);

/** Pass the `<option>`s as children. */
export const SelectField = ({
  label,
  hint,
  error,
  required,
  id,
  className = '',
  children,
  ...select
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) => (
  <Field label={label} hint={hint} error={error} required={required} id={id}>
    {(aria) => (
      <select {...select} {...aria} className={`field-input ${className}`.trim()}>
        {children}
      </select>
    )}
  </Field>
);
