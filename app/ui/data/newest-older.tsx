import { SmallLink } from '../admin/small-link.tsx';
import type { List } from './filters.tsx';

/** Links of a list that is read from a cursor. @param next cursor of the next page */
export function NewestOlder<Cursor, Question extends { before: Cursor | null }>({
  list: { question, addressOf },
  next,
  older = 'Older',
}: {
  list: List<Question>;
  next: Cursor | null;
  older?: string;
}) {
  const link = (before: Cursor | null, label: string) => (
    <SmallLink to={addressOf({ before } as Partial<Question>)}>{label}</SmallLink>
  );
  return (
    <>
      {question.before && link(null, 'Newest')}
      {next && link(next, older)}
    </>
  );
}
