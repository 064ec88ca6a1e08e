import { type InputHTMLAttributes, useId } from 'react';

/** An input of a line, named by its `aria-label`. */
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
