import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { href, Link, useRouteLoaderData } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { deleteProjects } from '#features/projects/model/write.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { choiceParam, listParams, pageParam, textParam } from '#lib/data/list-params.ts';
import { tables } from '#lib/words/tables.ts';
import { clients } from '#session/browser.ts';
import { useWrite } from '#session/use-write.ts';
import { DeleteDialog } from '#ui/admin/delete-dialog.tsx';
import { DropMenu } from '#ui/admin/drop-menu.tsx';
import { SmallLink } from '#ui/admin/screen-head.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { useList } from '#ui/data/filters.tsx';
import { ListScreen } from '#ui/data/list-screen.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { LinkButton } from '#ui/form/button.tsx';
import { DayTime } from '#ui/time.tsx';
import type { loader } from '../../root.tsx';
import { messagesAndProjectsChanged, messagesChanged, useMessages } from './message-queries.ts';
import { deleteMessage, type ReceivedMessage, replyLink, setHandled, startProject } from './model/contact-messages.ts';
import { inbox } from './words/admin.ts';

export const meta = privateTags(inbox.title);

const COLUMNS: readonly Column<ReceivedMessage>[] = [
  { header: 'From', cell: (message) => <Sender message={message} /> },
  { header: 'Message', text: true, cell: (message) => <Words message={message} /> },
  { header: 'Received', cell: ({ created_at }) => <DayTime at={created_at} /> },
];

const params = listParams({ search: textParam, state: choiceParam<'new'>(['new']), page: pageParam });

export default function Messages() {
  const list = useList(params);
  const change = useWrite(setHandled, messagesChanged);
  const { agency } = useFacts();
  const [leaving, setLeaving] = useState<ReceivedMessage | null>(null);
  const start = useWrite(startProject, messagesAndProjectsChanged);
  const cache = useQueryClient();
  const { say, report } = useStatus();
  const mark = ({ id, handled }: ReceivedMessage) =>
    void report(change.mutateAsync({ id, handled: !handled }), 'Failed to change the message', () =>
      say(handled ? 'Marked as new.' : 'Marked as handled.'),
    );
  const startFrom = ({ id, handled }: ReceivedMessage) =>
    void report(start.mutateAsync(id), 'The project was not started.', (project) =>
      say(inbox.started, {
        action: (
          <SmallLink variant="quiet" to={href('/admin/projects/:id', { id: project })}>
            Open
          </SmallLink>
        ),
        undo: async () => {
          await deleteProjects(clients().data(), [project]);
          if (!handled) await setHandled(clients().data(), { id, handled: false });
          await messagesAndProjectsChanged(cache);
        },
      }),
    );
  return (
    <ListScreen
      title={inbox.title}
      about="Messages from the contact form."
      list={list}
      filters={[
        { kind: 'search', name: 'search', label: 'Search name and email' },
        { kind: 'chip', label: inbox.fresh, value: { state: 'new' } },
      ]}
      clear="Clear filters"
      query={useMessages(list.question)}
      loading="Loading messages"
      failed="Failed to load messages"
      none="No messages yet. Messages from the contact form appear here."
      noMatch="No messages match."
      count={({ total }) => (total === 1 ? '1 message' : `${total} messages`)}
      table={{
        caption: 'Messages, newest first',
        keyOf: ({ id }) => id,
        columns: COLUMNS,
        actions: (message) => (
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
              label={tables.moreFor(`the message from ${message.name}`)}
              summary={tables.more}
              busy={
                (change.isPending && change.variables.id === message.id) ||
                (start.isPending && start.variables === message.id)
              }
              choices={[
                ...(message.started_project?.deleted === false
                  ? []
                  : [{ label: inbox.start, act: () => startFrom(message) }]),
                { label: message.handled ? 'Mark as new' : inbox.markHandled, act: () => mark(message) },
                { label: tables.delete, danger: true, act: () => setLeaving(message) },
              ]}
            />
          </>
        ),
      }}
    >
      <DeleteDialog
        thing={leaving}
        title={inbox.deleteTitle}
        failed="Failed to delete the message"
        deletion={useWrite(deleteMessage, messagesChanged)}
        onClose={() => setLeaving(null)}
        onDeleted={() => say(inbox.deleted)}
      >
        <p>
          From <strong>{leaving?.name}</strong>
        </p>
        <p className="gap-above-small">It is deleted permanently: messages are not kept in the trash.</p>
      </DeleteDialog>
    </ListScreen>
  );
}

const Words = ({ message: { message, started_project: project } }: { message: ReceivedMessage }) => (
  <>
    {message}
    {project && (
      <span className="row-preview">
        Project:{' '}
        {project.deleted ? (
          <>
            “{project.title}”, <Link to={href('/admin/trash')}>{inbox.inTrash}</Link>
          </>
        ) : (
          <Link to={href('/admin/projects/:id', { id: project.id })}>{project.title}</Link>
        )}
      </span>
    )}
  </>
);

function Sender({ message: { name, email, handled, mailed_at } }: { message: ReceivedMessage }) {
  // A hosted project does not report whether it e-mails messages.
  const weMail = useRouteLoaderData<typeof loader>('root')?.supabase.own;
  return (
    <>
      {name}{' '}
      <span className={`badge ${handled ? 'badge-draft' : 'badge-active'}`}>
        {handled ? inbox.handled : inbox.fresh}
      </span>
      <span className="row-preview">{email}</span>
      {weMail && !mailed_at && <span className="row-preview">Waits for the mail server</span>}
    </>
  );
}
