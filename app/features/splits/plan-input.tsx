import { type InputHTMLAttributes, useId } from 'react';

/** Input of a line, labelled by `aria-label`. */
export function PlanInput({
  problem,
  hint,
  className = '',
  ...input
}: { problem: string | undefined; hint?: string | null } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const said = problem ?? hint;
  return (
    <span>
      <input
        autoComplete="off"
        aria-invalid={problem ? true : undefined}
        aria-describedby={said ? id : undefined}
        {...input}
        className={`field-input ${className}`}
      />
      {said && (
        <span className={problem ? 'field-error' : 'field-hint'} id={id}>
          {said}
        </span>
      )}
    </span>
  );
}
