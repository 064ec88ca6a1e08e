import { useState } from 'react';
import { useRouteLoaderData, useSearchParams } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { pageFrom, pagesOf } from '#lib/data/page.ts';
import { admin } from '#lib/words/admin.ts';
import { tables } from '#lib/words/tables.ts';
import { DeleteDialog } from '#ui/admin/delete-dialog.tsx';
import { DropMenu } from '#ui/admin/drop-menu.tsx';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { type Column, DataTable } from '#ui/data/data-table.tsx';
import { ListFoot } from '#ui/data/pagination.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { LinkButton } from '#ui/form/button.tsx';
import { DayTime } from '#ui/time.tsx';
import type { loader } from '../../root.tsx';
import type { Route } from './+types/list';
import { useDeleteMessage, useMessages, useSetHandled } from './message-queries.ts';
import { type ReceivedMessage, replyLink } from './model/contact-messages.ts';
import { inbox } from './words/admin.ts';

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
