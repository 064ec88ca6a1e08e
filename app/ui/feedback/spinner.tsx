/** The label is always available to assistive technology; `quiet` hides it visually. */
export const Spinner = ({ label, quiet = false }: { label: string; quiet?: boolean }) => (
  <span className="spinner gap-3" role="status">
    <span className="spinner-plates plates" aria-hidden="true" />
    <span className={quiet ? 'hidden-text' : undefined}>{label}</span>
  </span>
);
