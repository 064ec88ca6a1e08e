import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { admin } from '../../../copy/admin/admin.ts';
import { inbox } from '../../../copy/admin/contact-messages.ts';
import { messageOf } from '../../../models/data/api-error.ts';
import { pageFrom, pagesOf } from '../../../models/data/page.ts';
import type { ReceivedMessage } from '../../../models/office/contact-messages.ts';
import { pageTags } from '../../../models/seo/page-meta.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { useStatus } from '../../../ui/feedback/status.tsx';
import { ListFoot } from '../experiments/pagination.tsx';
import { Loaded } from '../loaded.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import type { Route } from './+types/list';
import { DeleteLetter } from './delete-letter.tsx';
import { LetterRow } from './letter-row.tsx';
import { useMessages, useSetHandled } from './message-queries.ts';
import './messages.css';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: inbox.title, noindex: true });

export default function Messages() {
  const [address] = useSearchParams();
  const letters = useMessages(pageFrom(address));
  const change = useSetHandled();
  const [leaving, setLeaving] = useState<ReceivedMessage | null>(null);
  const { say } = useStatus();
  return (
    <>
      <ScreenHead title={inbox.title} about={admin.about.messages} />
      {change.error && <Banner kind="error">{messageOf(change.error, inbox.failedToChange)}</Banner>}
      <Loaded query={letters} loading="Loading messages" failed={inbox.failed}>
        {({ rows, total, page }) =>
          rows.length === 0 ? (
            <p className="empty">{inbox.none}</p>
          ) : (
            <div aria-busy={letters.isFetching}>
              <ul className="letters">
                {rows.map((letter) => (
                  <LetterRow
                    key={letter.id}
                    letter={letter}
                    busy={change.isPending && change.variables.id === letter.id}
                    onMark={() => change.mutate({ id: letter.id, handled: !letter.handled })}
                    onDelete={() => setLeaving(letter)}
                  />
                ))}
              </ul>
              <ListFoot
                said={total === 1 ? '1 message' : `${total} messages`}
                pages={pagesOf(total)}
                current={page}
                addressOf={(number) => `?page=${number}`}
              />
            </div>
          )
        }
      </Loaded>
      <DeleteLetter letter={leaving} onClose={() => setLeaving(null)} onDeleted={() => say(inbox.deleted)} />
    </>
  );
}
