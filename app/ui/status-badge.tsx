const LOOK: Record<string, string> = { active: 'active', completed: 'completed', draft: 'draft' };

export const StatusBadge = ({ status }: { status: string }) => (
  <span className={`badge badge-${LOOK[status] ?? 'other'}`}>{status}</span>
);
