const LOOK: Record<string, string> = { active: 'active', completed: 'completed', draft: 'draft' };

/** Active green, completed blue, draft grey, anything else red; the word is always there. */
export const StatusBadge = ({ status }: { status: string }) => (
  <span className={`badge badge-${LOOK[status] ?? 'other'}`}>{status}</span>
);
