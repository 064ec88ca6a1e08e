import { SmallLink } from '../admin/screen-head.tsx';
import type { List } from './filters.tsx';

type Props<Cursor, Question> = { list: List<Question>; next: Cursor | null; older?: string };

/** Links of a list that is read from a cursor. @param next cursor of the next page */
export function NewestOlder<Cursor, Question extends { before: Cursor | null }>(props: Props<Cursor, Question>) {
  const { list, next, older = 'Older' } = props;
  const link = (before: Cursor | null, label: string) => (
    <SmallLink to={list.addressOf({ before } as Partial<Question>)}>{label}</SmallLink>
  );
  return (
    <>
      {list.question.before && link(null, 'Newest')}
      {next && link(next, older)}
    </>
  );
}
