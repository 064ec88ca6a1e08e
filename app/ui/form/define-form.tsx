import type { ComponentProps, FormEvent, ReactNode } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { accounts } from '#lib/words/accounts.ts';
import { Banner } from '../feedback/banner.tsx';
import { Button } from './button.tsx';
import { Field, SelectField, TextField } from './field.tsx';
import { PasswordField } from './password-field.tsx';
import { SubmitButton } from './submit-button.tsx';
import { type LEAVING, requireFields, useSubmit } from './use-submit.ts';

interface FieldSpec {
  label: ReactNode;
  /** `text` without one; `lines` is a text area, `newPassword` checks its length. */
  kind?: 'text' | 'email' | 'tel' | 'url' | 'date' | 'lines' | 'select' | 'check' | 'password' | 'newPassword';
  hint?: ReactNode;
  /** Spaces around it count. */
  exact?: boolean;
  required?: boolean;
  maxLength?: number;
  rows?: number;
  inputMode?: ComponentProps<'input'>['inputMode'];
  autoComplete?: string;
  autoCapitalize?: string;
  spellCheck?: boolean;
  autoFocus?: boolean;
  enterKeyHint?: ComponentProps<'input'>['enterKeyHint'];
  placeholder?: string;
  min?: string;
  max?: string;
  options?: Record<string, ReactNode>;
}

export type FormValues<Fields extends Record<string, FieldSpec>> = {
  [Name in keyof Fields]: Fields[Name]['kind'] extends 'check' ? boolean : string;
};

interface FormProps<Fields extends Record<string, FieldSpec>, Result> {
  start?: Partial<FormValues<Fields>>;
  save: (values: FormValues<Fields>, pressed: string) => Promise<Result>;
  /** The success message, or what follows. */
  onSaved?: string | ((result: Exclude<Result, typeof LEAVING>, form: HTMLFormElement) => void);
  onCancel?: () => void;
  onUnsaved?: (unsaved: boolean) => void;
  submitLabel: ReactNode;
  busyLabel?: string;
  submit?: Partial<ComponentProps<typeof Button>>;
  size?: 'admin' | 'public';
  /** A dialog has its buttons at the end, Cancel first. */
  inDialog?: boolean;
  className?: string;
  label?: string;
  /** Before the fields; or, as a function, instead of them: `field` draws one, with changes to its specification. */
  children?:
    | ReactNode
    | ((
        field: (name: keyof Fields & string, change?: Partial<FieldSpec>) => ReactNode,
        failure: ReactNode,
      ) => ReactNode);
}

/**
 * A form from its fields: one way of checking, saving and reporting. Inputs stay uncontrolled, so that what is typed
 * before hydration is kept. @param check messages by field; the first such field is focused
 */
export function defineForm<const Fields extends Record<string, FieldSpec>>({
  fields,
  check,
  failed,
  inWords = messageOf,
}: {
  fields: Fields;
  check?: (values: FormValues<Fields>) => Partial<Record<keyof Fields, string | null | false>>;
  failed: string;
  inWords?: (error: unknown, otherwise: string) => string;
}) {
  const names = Object.keys(fields) as (keyof Fields & string)[];
  const valueIn = (typed: FormData, name: string) => {
    const { kind, exact } = fields[name] as FieldSpec;
    if (kind === 'check') return typed.has(name);
    const text = String(typed.get(name) ?? '');
    return exact || kind === 'password' || kind === 'newPassword' || kind === 'lines' ? text : text.trim();
  };
  const blank = Object.fromEntries(
    names.map((name) => [name, (fields[name] as FieldSpec).kind === 'check' ? false : '']),
  );
  const valuesIn = (typed: FormData) =>
    Object.fromEntries(names.map((name) => [name, valueIn(typed, name)])) as FormValues<Fields>;

  return function DefinedForm<Result>({
    start = {},
    save,
    onSaved,
    onCancel,
    onUnsaved,
    submitLabel,
    busyLabel,
    submit: button,
    size,
    inDialog = false,
    className = inDialog ? undefined : 'form-stack',
    label,
    children,
  }: FormProps<Fields, Result>) {
    const form = useSubmit(failed, inWords);
    const send = (typed: FormData, pressed: string) => {
      const values = valuesIn(typed);
      if (check) requireFields(check(values) as Record<string, string | null | false>);
      return save(values, pressed);
    };
    const noteUnsaved = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
      onUnsaved?.(JSON.stringify(valuesIn(new FormData(currentTarget))) !== JSON.stringify({ ...blank, ...start }));
    const field = (name: keyof Fields & string, change: Partial<FieldSpec> = {}) => (
      <SpecField
        key={name}
        name={name}
        {...(fields[name] as FieldSpec)}
        {...change}
        start={start[name] as string | boolean | undefined}
        error={form.wrong[name]}
        onInput={() => form.wrong[name] && form.settle(name)}
      />
    );
    const failure = form.failure && <Banner kind="error">{form.failure}</Banner>;
    const submitButton = (
      <SubmitButton size={size} {...button} busy={form.busy} busyLabel={busyLabel}>
        {submitLabel}
      </SubmitButton>
    );
    const cancelButton = onCancel && (
      <Button variant="secondary" size={inDialog ? undefined : size} disabled={form.busy} onClick={onCancel}>
        Cancel
      </Button>
    );
    return (
      <form
        className={className}
        method="post"
        aria-label={label}
        noValidate={check !== undefined}
        onSubmit={form.submit(send, onSaved)}
        onInput={onUnsaved && noteUnsaved}
        onKeyDown={(event) => event.key === 'Escape' && !inDialog && onCancel?.()}
      >
        {/* Always rendered: assistive technology only announces changes of a known region. */}
        {typeof onSaved === 'string' && (
          <div aria-live="polite">{form.done && <Banner kind="success">{form.done}</Banner>}</div>
        )}
        {!inDialog && failure}
        {typeof children === 'function' ? (
          children(field, inDialog && failure)
        ) : (
          <>
            {children}
            {names.map((name) => field(name))}
          </>
        )}
        {inDialog ? (
          <div className="cluster end above-5">
            {cancelButton}
            {submitButton}
          </div>
        ) : cancelButton ? (
          <div className="button-row">
            {submitButton}
            {cancelButton}
          </div>
        ) : (
          submitButton
        )}
      </form>
    );
  };
}

function SpecField({
  kind = 'text',
  options,
  rows,
  start,
  error,
  exact: _,
  ...input
}: FieldSpec & { name: string; start: string | boolean | undefined; error: string | undefined; onInput: () => void }) {
  const text = start as string | undefined;
  switch (kind) {
    case 'check':
      return (
        <label className="check">
          <input type="checkbox" name={input.name} defaultChecked={start === true} />
          {input.label}
        </label>
      );
    case 'select':
      return (
        <SelectField label={input.label} hint={input.hint} name={input.name} defaultValue={text} error={error}>
          {Object.entries(options ?? {}).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      );
    case 'lines':
      return (
        <Field label={input.label} hint={input.hint} required={input.required} error={error}>
          {(aria) => (
            <textarea
              {...aria}
              className="field-input"
              name={input.name}
              rows={rows}
              maxLength={input.maxLength}
              defaultValue={text}
              onInput={input.onInput}
            />
          )}
        </Field>
      );
    case 'password':
    case 'newPassword': {
      const { label, hint, ...rest } = input;
      const isNew = kind === 'newPassword';
      return (
        <PasswordField
          {...rest}
          label={String(label)}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          minLength={isNew ? accounts.minimumPassword : undefined}
          hint={isNew ? accounts.tooShort(accounts.minimumPassword) : undefined}
        />
      );
    }
    default:
      return (
        <TextField
          {...input}
          type={kind}
          {...(kind === 'email' && { autoCapitalize: 'none', spellCheck: false })}
          defaultValue={text}
          error={error}
        />
      );
  }
}
