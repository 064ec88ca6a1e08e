/** Two plates finding register. The label is always readable by assistive technology; `quiet` hides it from the eye. */
export const Spinner = ({ label, quiet = false }: { label: string; quiet?: boolean }) => (
  <span className="spinner" role="status">
    <span className="spinner-plates" aria-hidden="true" />
    <span className={quiet ? 'hidden-text' : undefined}>{label}</span>
  </span>
);
