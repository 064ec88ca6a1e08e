import { useRef, useState } from 'react';
import { tables } from '#lib/words/tables.ts';
import { clients } from '#session/browser.ts';
import { useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import { DeleteDialog } from '#ui/admin/delete-dialog.tsx';
import { DropMenu } from '#ui/admin/drop-menu.tsx';
import { Loaded } from '#ui/admin/loaded.tsx';
import { CopyOnce } from '#ui/copy-button.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { Moment, UtcDay } from '#ui/time.tsx';
import {
  changeWebhook,
  deleteWebhook,
  deliveryState,
  listDeliveries,
  listWebhooks,
  redeliver,
  renewSecret,
  testWebhook,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
} from './model/webhooks.ts';
import type { SetUnsaved } from './settings.tsx';
import { WEBHOOKS, WebhookForm, webhooksChanged } from './webhook-form.tsx';
import { webhookWords as words } from './words.ts';

const FORMAT = 'https://www.standardwebhooks.com';
const CHECK_MS = 2000;
const NOT_SENT = 'It was not sent. Try again in a moment.';

export function Webhooks({ onUnsaved }: { onUnsaved: SetUnsaved }) {
  const webhooks = useRead([...WEBHOOKS, 'all'], listWebhooks);
  const [edited, setEdited] = useState<string | null>(null);
  const [secret, setSecret] = useState<{ of: string; text: string } | null>(null);
  const [renewing, setRenewing] = useState<Webhook | null>(null);
  const [leaving, setLeaving] = useState<Webhook | null>(null);
  const renew = useWrite((_, id: string) => renewSecret(clients().functions, id), webhooksChanged);
  const deletion = useWrite(deleteWebhook, webhooksChanged);
  const { say, report } = useStatus();
  const isEditing = edited === 'new' || webhooks.data?.some(({ id }) => id === edited) === true;
  const list = useRef<HTMLDivElement>(null);

  function close() {
    setEdited(null);
    list.current?.focus();
  }

  const createSecret = (id: string) =>
    report(renew.mutateAsync(id), words.failed, (text) => setSecret({ of: id, text }));

  return (
    <div className="stack" ref={list} tabIndex={-1}>
      <p className="field-hint">
        Each event is a JSON request with type, timestamp and data, signed with the webhook’s secret in the headers
        webhook-id, webhook-timestamp and webhook-signature, as <a href={FORMAT}>standardwebhooks.com</a> describes. An
        event that fails is sent again for a day, with the same id.
      </p>
      <Loaded query={webhooks} loading="Loading webhooks" failed="The webhooks could not be loaded.">
        {(all) => (
          <ul className="hairline">
            {all.map((webhook) => (
              <li className="stack gap-2 hairline-below pad-y-3" key={webhook.id}>
                {edited === webhook.id ? (
                  <WebhookForm webhook={webhook} onUnsaved={onUnsaved} onClose={close} />
                ) : (
                  <Entry
                    webhook={webhook}
                    onEdit={isEditing ? undefined : () => setEdited(webhook.id)}
                    onRenew={() => (webhook.secrets > 0 ? setRenewing(webhook) : void createSecret(webhook.id))}
                    onDelete={() => setLeaving(webhook)}
                  />
                )}
                {secret?.of === webhook.id && (
                  <CopyOnce text={secret.text} label="Copy secret">
                    Copy the secret now: it is not shown again.
                  </CopyOnce>
                )}
                {edited !== webhook.id && <WebhookDeliveries webhook={webhook} />}
              </li>
            ))}
            {all.length === 0 && <li className="empty">There are no webhooks yet.</li>}
            <li className="row">
              {edited === 'new' ? (
                <WebhookForm webhook={null} onUnsaved={onUnsaved} onAdded={createSecret} onClose={close} />
              ) : (
                <SmallButton variant="primary" disabled={isEditing} onClick={() => setEdited('new')}>
                  Add a webhook
                </SmallButton>
              )}
            </li>
          </ul>
        )}
      </Loaded>
      <ConfirmDialog
        open={renewing !== null}
        title="Create a new secret?"
        confirmLabel="Create secret"
        busyLabel="Creating..."
        busy={renew.isPending}
        onCancel={() => setRenewing(null)}
        onConfirm={() => renewing && void createSecret(renewing.id).then(() => setRenewing(null))}
      >
        <p>Its receiver refuses events until it knows the new secret.</p>
      </ConfirmDialog>
      <DeleteDialog
        thing={leaving}
        title="Delete this webhook?"
        failed={words.failed}
        deletion={deletion}
        onClose={() => setLeaving(null)}
        onDeleted={() => {
          list.current?.focus();
          say('The webhook is deleted.');
        }}
      >
        <p>{leaving?.url} gets no more events, and the log of its deliveries is deleted too.</p>
      </DeleteDialog>
    </div>
  );
}

type EntryProps = { webhook: Webhook; onEdit: (() => void) | undefined; onRenew: () => void; onDelete: () => void };

function Entry({ webhook, onEdit, onRenew, onDelete }: EntryProps) {
  const { id, url, events, active, secrets } = webhook;
  const change = useWrite(changeWebhook, webhooksChanged);
  const test = useWrite(testWebhook, webhooksChanged);
  const { say, report } = useStatus();
  const turned = active ? 'The webhook is off.' : 'The webhook is on.';
  const turn = () => report(change.mutateAsync({ id, active: !active }), words.failed, () => say(turned));
  return (
    <div className="cluster apart">
      <div className="row-words">
        <strong>{url}</strong>
        <span className="row-meta">{events.map((event) => words.events[event]).join(', ')}</span>
        <span className="row-meta">
          <State webhook={webhook} />
        </span>
      </div>
      <div className="button-row">
        {secrets > 0 ? (
          <SmallButton
            aria-label={`Send a test to ${url}`}
            busy={test.isPending}
            busyLabel="Sending..."
            onClick={() => void report(test.mutateAsync(id), NOT_SENT, () => say('The test is on its way.'))}
          >
            Send test
          </SmallButton>
        ) : (
          <SmallButton variant="primary" aria-label={`Create a secret for ${url}`} onClick={onRenew}>
            Create secret
          </SmallButton>
        )}
        <DropMenu
          label={tables.moreFor(url)}
          summary={tables.more}
          busy={change.isPending}
          choices={[
            ...(onEdit ? [{ label: 'Edit', act: onEdit }] : []),
            { label: active ? 'Turn off' : 'Turn on', act: () => void turn() },
            { label: 'New secret', act: onRenew },
            { label: tables.delete, danger: true, act: onDelete },
          ]}
        />
      </div>
    </div>
  );
}

function State({ webhook: { active, secrets, failing_since: since } }: { webhook: Webhook }) {
  if (secrets === 0) return 'Without a secret, nothing is sent.';
  if (!since) return active ? 'On' : 'Off';
  return active ? (
    <>
      Failing since <Moment at={since} />. It is turned off after five days.
    </>
  ) : (
    <>
      Turned off: nothing has arrived since <UtcDay at={since} />
    </>
  );
}

function WebhookDeliveries({ webhook: { id, url, active } }: { webhook: Webhook }) {
  const [open, setOpen] = useState(false);
  const deliveries = useRead([...WEBHOOKS, 'deliveries', id], (data) => listDeliveries(data, id), {
    enabled: open,
    refetchInterval: ({ state }) =>
      state.data?.some((delivery) => deliveryState(delivery, active) === 'waiting') ? CHECK_MS : false,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="tap underlined">
        Last deliveries<span className="hidden-text"> to {url}</span>
      </summary>
      <Loaded query={deliveries} loading="Loading deliveries" failed="The deliveries could not be loaded.">
        {(all) =>
          all.length === 0 ? (
            <p className="empty">Nothing has been sent in the last 30 days.</p>
          ) : (
            <ul>
              {all.map((delivery) => (
                <Delivery key={delivery.id} delivery={delivery} isActive={active} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </details>
  );
}

function Delivery({ delivery, isActive }: { delivery: WebhookDelivery; isActive: boolean }) {
  const { id, event, created_at, status, problem, attempts } = delivery;
  const again = useWrite(redeliver, webhooksChanged);
  const { report } = useStatus();
  const sendAgain = () => report(again.mutateAsync(id), NOT_SENT);
  const state = deliveryState(delivery, isActive);
  const name = words.events[event as WebhookEvent] ?? 'A test';
  return (
    <li className="cluster apart hairline pad-y-3">
      <div className="row-words">
        <strong>{name}</strong>
        <span className="row-meta">
          <Moment at={created_at} />
          {attempts > 1 && `, ${attempts} attempts`}
        </span>
        <span className="row-meta" role="status">
          {words.states[state]}
          {state === 'sent' ? ` (status ${status})` : problem && `: ${problem}`}
        </span>
      </div>
      <SmallButton busy={again.isPending} busyLabel="Sending..." onClick={sendAgain}>
        Send again
        <span className="hidden-text"> ({name})</span>
      </SmallButton>
    </li>
  );
}
