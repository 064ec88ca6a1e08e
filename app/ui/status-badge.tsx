const BADGE_STYLES: Record<string, string> = { active: 'active', completed: 'completed', draft: 'draft' };

export const StatusBadge = ({ status }: { status: string }) => (
  <span className={`badge badge-${BADGE_STYLES[status] ?? 'other'}`}>{status}</span>
);
