import { useState } from 'react';
import { useRouteLoaderData, useSearchParams } from 'react-router';
import { useFacts } from '../../../context/use-facts.ts';
import { admin } from '../../../copy/admin/admin.ts';
import { inbox } from '../../../copy/admin/contact-messages.ts';
import { tables } from '../../../copy/admin/tables.ts';
import { messageOf } from '../../../models/data/api-error.ts';
import { pageFrom, pagesOf } from '../../../models/data/page.ts';
import { type ReceivedMessage, replyLink } from '../../../models/office/contact-messages.ts';
import { pageTags } from '../../../models/seo/page-meta.ts';
import type { loader } from '../../../root.tsx';
import { type Column, DataTable } from '../../../ui/data/data-table.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { useStatus } from '../../../ui/feedback/status.tsx';
import { LinkButton } from '../../../ui/form/button.tsx';
import { DayTime } from '../../../ui/time.tsx';
import { DeleteDialog } from '../delete-dialog.tsx';
import { ListFoot } from '../experiments/pagination.tsx';
import { Loaded } from '../loaded.tsx';
import { DropMenu } from '../shell/drop-menu.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import type { Route } from './+types/list';
import { useDeleteMessage, useMessages, useSetHandled } from './message-queries.ts';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: inbox.title, noindex: true });

const COLUMNS: readonly Column<ReceivedMessage>[] = [
  { header: 'From', cell: (message) => <Sender message={message} /> },
  { header: 'Message', text: true, cell: ({ message }) => message },
  { header: 'Received', cell: ({ created_at }) => <DayTime at={created_at} /> },
];

export default function Messages() {
  const [address] = useSearchParams();
  const received = useMessages(pageFrom(address));
  const change = useSetHandled();
  const { agency } = useFacts();
  const [leaving, setLeaving] = useState<ReceivedMessage | null>(null);
  const { say } = useStatus();
  return (
    <>
      <ScreenHead title={inbox.title} about={admin.about.messages} />
      {change.error && <Banner kind="error">{messageOf(change.error, inbox.failedToChange)}</Banner>}
      <Loaded query={received} loading="Loading messages" failed={inbox.failed}>
        {({ rows, total, page }) => (
          <DataTable
            caption={inbox.caption}
            rows={rows}
            keyOf={({ id }) => id}
            columns={COLUMNS}
            actions={(message) => (
              <>
                <LinkButton
                  variant="secondary"
                  size="admin"
                  href={replyLink(message, agency.name)}
                  aria-label={`${inbox.reply} to ${message.name}`}
                >
                  {inbox.reply}
                </LinkButton>
                <DropMenu
                  label={tables.moreFor(inbox.from(message.name))}
                  summary={tables.more}
                  busy={change.isPending && change.variables.id === message.id}
                  side="end"
                  choices={[
                    {
                      label: message.handled ? inbox.markNew : inbox.markHandled,
                      act: () => change.mutate({ id: message.id, handled: !message.handled }),
                    },
                    { label: tables.delete, danger: true, act: () => setLeaving(message) },
                  ]}
                />
              </>
            )}
            empty={inbox.none}
            busy={received.isFetching}
          >
            <ListFoot
              said={inbox.count(total)}
              pages={pagesOf(total)}
              current={page}
              addressOf={(number) => `?page=${number}`}
            />
          </DataTable>
        )}
      </Loaded>
      <DeleteDialog
        thing={leaving}
        title={inbox.deleteTitle}
        failed={inbox.failedToDelete}
        deletion={useDeleteMessage()}
        onClose={() => setLeaving(null)}
        onDeleted={() => say(inbox.deleted)}
      >
        <p>
          From <strong>{leaving?.name}</strong>
        </p>
        <p className="gap-above-small">{inbox.deleteQuestion}</p>
      </DeleteDialog>
    </>
  );
}

function Sender({ message: { name, email, handled, mailed_at } }: { message: ReceivedMessage }) {
  // A hosted project mails by other means, if at all, and does not report it here.
  const weMail = useRouteLoaderData<typeof loader>('root')?.supabase.own;
  return (
    <>
      {name}{' '}
      <span className={`badge ${handled ? 'badge-draft' : 'badge-active'}`}>
        {handled ? inbox.handled : inbox.fresh}
      </span>
      <span className="row-preview">{email}</span>
      {weMail && !mailed_at && <span className="row-preview">{inbox.notMailed}</span>}
    </>
  );
}
