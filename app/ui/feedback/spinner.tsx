/** The label is always available to assistive technology; `quiet` hides it visually. */
export const Spinner = ({ label, quiet = false }: { label: string; quiet?: boolean }) => (
  <span className="spinner" role="status">
    <span className="spinner-plates" aria-hidden="true" />
    <span className={quiet ? 'hidden-text' : undefined}>{label}</span>
  </span>
);
