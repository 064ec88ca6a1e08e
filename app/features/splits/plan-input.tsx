import { type InputHTMLAttributes, useId } from 'react';

type PlanInputProps = { problem: string | undefined; hint?: string | null } & InputHTMLAttributes<HTMLInputElement>;

export function PlanInput({ problem, hint, className = '', ...input }: PlanInputProps) {
  const id = useId();
  const message = problem ?? hint;
  return (
    <span>
      <input
        autoComplete="off"
        aria-invalid={problem ? true : undefined}
        aria-describedby={message ? id : undefined}
        {...input}
        className={`field-input ${className}`}
      />
      {message && (
        <span className={problem ? 'field-error' : 'field-hint'} id={id}>
          {message}
        </span>
      )}
    </span>
  );
}
