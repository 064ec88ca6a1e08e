import { type ComponentProps, createElement, type ReactNode, useId } from 'react';
import { lengthOf } from '#lib/data/limits.ts';
import './fields.css';

export interface FieldAria {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  required: boolean | undefined;
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  id?: string;
  written?: { text: string; limit: number };
}

const COUNT_SHOWN_FROM = 0.8;

type WithControl = FieldProps & { children: (aria: FieldAria) => ReactNode };

export function Field({ label, hint: givenHint, error, required, id: givenId, written, children }: WithControl) {
  const generated = useId();
  const id = givenId ?? generated;
  const length = written ? lengthOf(written.text) : 0;
  const count = written && length > written.limit * COUNT_SHOWN_FROM && `${length} of ${written.limit} characters`;
  const message =
    written && length > written.limit
      ? `Too long: at most ${written.limit} characters. Nothing was cut off; please shorten it.`
      : error;
  const hint = message === givenHint ? null : givenHint;
  const described = [hint && `${id}-hint`, count && `${id}-count`, message && `${id}-error`].filter(Boolean).join(' ');
  const note = (part: 'hint' | 'count' | 'error', className: string, text: ReactNode, role?: 'alert') =>
    text && (
      <span className={className} id={`${id}-${part}`} role={role}>
        {text}
      </span>
    );
  return (
    <div className="field stack gap-2">
      <label className="bold" htmlFor={id}>
        {label}
        {required && <span className="field-required quiet" aria-hidden="true" />}
      </label>
      {note('hint', 'field-hint', hint)}
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': message ? true : undefined,
        required: required || undefined,
      })}
      {note('count', 'field-hint figures', count)}
      {note('error', 'field-error', message, 'alert')}
    </div>
  );
}

type LabelProps = Omit<FieldProps, 'written'>;
type TextProps<Tag extends 'input' | 'textarea'> = LabelProps & ComponentProps<Tag> & { limit?: number };

const textField =
  <Tag extends 'input' | 'textarea'>(tag: Tag) =>
  ({ label, hint, error, required, id, limit, className = '', ...input }: TextProps<Tag>) => {
    const written: FieldProps['written'] = limit === undefined ? undefined : { text: String(input.value ?? ''), limit };
    return (
      <Field label={label} hint={hint} error={error} required={required} id={id} written={written}>
        {(aria) => createElement(tag, { ...input, ...aria, className: `field-input ${className}`.trim() })}
      </Field>
    );
  };

/** `limit` in characters. Longer text stays in the field, so that a paste is not cut off: validation rejects it. */
export const TextField = textField('input');
export const TextAreaField = textField('textarea');

type SelectFieldProps = LabelProps & ComponentProps<'select'> & { options?: Record<string, ReactNode> | undefined };

export function SelectField(props: SelectFieldProps) {
  const { label, hint, error, required, id, className = '', options = {}, children, ...select } = props;
  return (
    <Field label={label} hint={hint} error={error} required={required} id={id}>
      {(aria) => (
        <select {...select} {...aria} className={`field-input ${className}`.trim()}>
          {Object.entries(options).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
          {children}
        </select>
      )}
    </Field>
  );
}
