export const Spinner = ({ label }: { label: string }) => (
  <span className="spinner gap-3" role="status">
    <span className="spinner-plates plates" aria-hidden="true" />
    <span>{label}</span>
  </span>
);
