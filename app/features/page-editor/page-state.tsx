import type { PageRow } from './model/pages.ts';

type Shown = Pick<PageRow, 'kind' | 'is_draft' | 'published_at' | 'deleted_at'>;

export function PageState({ page }: { page: Shown }) {
  const [look, text] = stateOf(page);
  return <span className={`badge badge-${look}`}>{text}</span>;
}

function stateOf({ kind, is_draft, published_at, deleted_at }: Shown) {
  if (deleted_at) return ['other', 'Deleted'];
  if (is_draft) return ['draft', 'Draft changes'];
  if (published_at) return ['active', 'Published'];
  return kind === 'free' ? ['draft', 'Not published'] : ['completed', 'Built-in'];
}
