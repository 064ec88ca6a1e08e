import type { ComponentProps, FormEvent, ReactNode, Ref } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { accounts } from '#lib/words/accounts.ts';
import { Banner } from '../feedback/banner.tsx';
import { Button } from './button.tsx';
import { CodeField } from './code-field.tsx';
import { SelectField, TextAreaField, TextField } from './field.tsx';
import { PasswordField } from './password-field.tsx';
import { SubmitButton } from './submit-button.tsx';
import { type NAVIGATING, requireFields, useSubmit, WrongFields } from './use-submit.ts';

const MINIMUM = 6;

type InputType = 'text' | 'email' | 'tel' | 'url' | 'date' | 'datetime-local';

type Limit = 'required' | 'maxLength' | 'min' | 'max';
type Typing = 'inputMode' | 'autoComplete' | 'autoCapitalize' | 'spellCheck' | 'enterKeyHint' | 'placeholder';

interface FieldSpec extends Pick<ComponentProps<'input'>, Limit | Typing | 'autoFocus'> {
  label: ReactNode;
  /** `text` without one; `lines` is a text area, `newPassword` checks its length. */
  kind?: InputType | 'lines' | 'select' | 'check' | 'password' | 'newPassword' | 'code';
  hint?: ReactNode;
  exact?: boolean;
  rows?: number;
  options?: Record<string, ReactNode>;
}

export type FormValues<Fields extends Record<string, FieldSpec>> = {
  [Name in keyof Fields]: Fields[Name]['kind'] extends 'check' ? boolean : string;
};

type RenderField<Name> = (name: Name, change?: Partial<FieldSpec>) => ReactNode;

interface FormProps<Fields extends Record<string, FieldSpec>, Result> {
  start?: Partial<FormValues<Fields>>;
  save: (values: FormValues<Fields>, pressed: string) => Promise<Result>;
  /** Success message, or the next action. */
  onSaved?: string | ((result: Exclude<Result, typeof NAVIGATING>, form: HTMLFormElement) => void);
  onCancel?: () => void;
  onUnsaved?: (unsaved: boolean) => void;
  /** Error of another source, until the form has its own. */
  notice?: string | null;
  hints?: (failure: string) => ReactNode;
  submitLabel?: ReactNode;
  busyLabel?: string;
  submit?: Partial<ComponentProps<typeof Button>>;
  /** Replaces the submit button: several buttons, whose `value` is passed to `save`, or a link beside it. */
  actions?: (button: (button: ComponentProps<typeof Button>) => ReactNode) => ReactNode;
  /** More about the fields than is known before rendering. */
  more?: { [Name in keyof Fields]?: Partial<FieldSpec> };
  size?: 'admin' | 'public';
  /** A dialog has its buttons at the end, Cancel first, and the failure below the fields. */
  inDialog?: boolean;
  className?: string;
  label?: string;
  ref?: Ref<HTMLFormElement>;
  /** Content before the fields; a function replaces them, and calls `field` to render one. */
  children?: ReactNode | ((field: RenderField<keyof Fields & string>, failure: ReactNode) => ReactNode);
}

interface FormDefinition<Fields extends Record<string, FieldSpec>> {
  fields: Fields;
  check?: (values: FormValues<Fields>) => Partial<Record<keyof Fields, string | null | false>>;
  failed: string;
  inWords?: (error: unknown, otherwise: string) => string;
  fieldOf?: (failure: string) => keyof Fields | null;
}

/**
 * A form from its fields: one way of checking, saving and reporting. Inputs stay uncontrolled, so that what is typed
 * before hydration is kept. @param check messages by field; the first such field is focused
 */
export function defineForm<const Fields extends Record<string, FieldSpec>>(definition: FormDefinition<Fields>) {
  const { fields, check, failed, inWords = messageOf, fieldOf } = definition;
  const names = Object.keys(fields) as (keyof Fields & string)[];
  const valueIn = (typed: FormData, name: string) => {
    const { kind, exact } = fields[name] as FieldSpec;
    if (kind === 'check') return typed.has(name);
    const text = String(typed.get(name) ?? '');
    return exact || kind === 'password' || kind === 'newPassword' || kind === 'lines' ? text : text.trim();
  };
  const byName = <Value,>(read: (name: keyof Fields & string) => Value): Record<string, Value> =>
    Object.fromEntries(names.map((name) => [name, read(name)]));
  const blank = byName((name) => (fields[name]!.kind === 'check' ? false : ''));
  const valuesIn = (typed: FormData) => byName((name) => valueIn(typed, name)) as FormValues<Fields>;

  const shortIn = (values: FormValues<Fields>) =>
    byName((name) => {
      const isShort = fields[name]!.kind === 'newPassword' && [...String(values[name])].length < MINIMUM;
      return isShort && accounts.tooShort(MINIMUM);
    });

  return function DefinedForm<Result>(props: FormProps<Fields, Result>) {
    const { start, save, onSaved, onCancel, onUnsaved, notice, hints, submitLabel, busyLabel, submit } = props;
    const { actions, more, size, inDialog = false, label, ref, children } = props;
    const { className = inDialog ? undefined : 'form-stack' } = props;
    const form = useSubmit(failed, inWords);
    const send = async (typed: FormData, pressed: string) => {
      const values = valuesIn(typed);
      requireFields({ ...shortIn(values), ...(check?.(values) as Record<string, string | null | false>) });
      try {
        return await save(values, pressed);
      } catch (error) {
        const message = inWords(error, failed);
        const field = fieldOf?.(message);
        throw field ? new WrongFields({ [field]: message }) : error;
      }
    };
    const noteUnsaved = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
      onUnsaved?.(JSON.stringify(valuesIn(new FormData(currentTarget))) !== JSON.stringify({ ...blank, ...start }));
    const field = (name: keyof Fields & string, change: Partial<FieldSpec> = {}) => (
      <SpecField
        key={name}
        name={name}
        {...(fields[name] as FieldSpec)}
        {...more?.[name]}
        {...change}
        start={start?.[name] as string | boolean | undefined}
        error={form.wrong[name]}
        onInput={() => form.wrong[name] && form.settle(name)}
      />
    );
    const message = form.failure ?? notice;
    const failure = message && (
      <Banner kind="error">
        {message}
        {hints?.(message)}
      </Banner>
    );
    const button = ({ busyLabel, ...props }: ComponentProps<typeof Button>) => (
      <SubmitButton
        size={size}
        {...submit}
        {...props}
        busy={form.busy}
        busyLabel={form.pressed === (props.value ?? '') ? busyLabel : undefined}
      />
    );
    const submitButton = actions?.(button) ?? button({ busyLabel, children: submitLabel });
    const content =
      typeof children === 'function' ? (
        children(field, inDialog && failure)
      ) : (
        <>
          {children}
          {names.map((name) => field(name))}
          {inDialog && failure}
        </>
      );
    const cancelButton = onCancel && (
      <Button variant="secondary" size={inDialog ? undefined : size} disabled={form.busy} onClick={() => onCancel()}>
        Cancel
      </Button>
    );
    return (
      <form
        className={className}
        ref={ref}
        method="post"
        aria-label={label}
        noValidate={check !== undefined}
        onSubmit={form.submit(send, onSaved)}
        onInput={onUnsaved && noteUnsaved}
      >
        {/* Always rendered: assistive technology only announces changes of a known region. */}
        {typeof onSaved === 'string' && (
          <div aria-live="polite">{form.done && <Banner kind="success">{form.done}</Banner>}</div>
        )}
        {!inDialog && failure}
        {inDialog && typeof children !== 'function' ? <div className="form-stack gap-above">{content}</div> : content}
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

type SpecFieldProps = FieldSpec & { name: string; start?: string | boolean; error?: string; onInput: () => void };

function SpecField({ kind = 'text', options, rows, start, exact: _, ...input }: SpecFieldProps) {
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
      return <SelectField {...input} options={options} defaultValue={text} />;
    case 'lines':
      return <TextAreaField {...input} rows={rows} defaultValue={text} />;
    case 'password':
      return <PasswordField autoComplete="current-password" {...input} />;
    case 'newPassword':
      return <PasswordField autoComplete="new-password" hint={accounts.tooShort(MINIMUM)} {...input} />;
    case 'code':
      return <CodeField {...input} />;
    default:
      return (
        <TextField
          {...input}
          type={kind}
          {...(kind === 'email' && { autoCapitalize: 'none', spellCheck: false })}
          defaultValue={text}
        />
      );
  }
}
