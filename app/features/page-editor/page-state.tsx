import type { PageRow } from './model/pages.ts';

export function PageState({
  page: { kind, isDraft, published_at, deleted_at },
}: {
  page: Pick<PageRow, 'kind' | 'isDraft' | 'published_at' | 'deleted_at'>;
}) {
  const [look, text] = deleted_at
    ? ['other', 'Deleted']
    : isDraft
      ? ['draft', 'Draft changes']
      : published_at
        ? ['active', 'Published']
        : kind === 'free'
          ? ['draft', 'Not published']
          : ['completed', 'Built-in'];
  return <span className={`badge badge-${look}`}>{text}</span>;
}
