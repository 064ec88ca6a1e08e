import type { ReactNode } from 'react';

/** The error of a group of inputs, if it has one. */
export const FieldError = ({ id, children }: { id?: string; children: ReactNode }) =>
  children && (
    <p className="field-error" role="alert" id={id}>
      {children}
    </p>
  );
