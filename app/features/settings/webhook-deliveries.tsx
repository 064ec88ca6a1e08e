import { useState } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { Moment } from '#ui/time.tsx';
import { deliveryState, type Webhook, type WebhookDelivery, type WebhookEvent } from './model/webhooks.ts';
import { useDeliveries, useRedeliver } from './webhook-queries.ts';
import { webhookWords as words } from './words.ts';

export function WebhookDeliveries({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState(false);
  const deliveries = useDeliveries(webhook.id, open);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="tap underlined">
        Last deliveries<span className="hidden-text"> to {webhook.url}</span>
      </summary>
      <Loaded query={deliveries} loading="Loading deliveries" failed="The deliveries could not be loaded.">
        {(all) =>
          all.length === 0 ? (
            <p className="empty">Nothing has been sent in the last 30 days.</p>
          ) : (
            <ul>
              {all.map((delivery) => (
                <Delivery key={delivery.id} delivery={delivery} isActive={webhook.active} />
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
  const again = useRedeliver();
  const { complain } = useStatus();
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
      <SmallButton
        busy={again.isPending}
        busyLabel="Sending..."
        onClick={() => again.mutate(id, { onError: (error) => complain(messageOf(error, words.failed)) })}
      >
        Send again
        <span className="hidden-text"> ({name})</span>
      </SmallButton>
    </li>
  );
}
