import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { MAX_ADDRESS_LENGTH } from '#lib/data/limits.ts';
import { useWrite } from '#session/use-write.ts';
import { useReportWhenGone } from '#ui/data/use-report-when-gone.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { addWebhook, changeWebhook, type Webhook, type WebhookEvent } from './model/webhooks.ts';
import type { EntryFormProps } from './settings.tsx';
import { webhookWords as words } from './words.ts';

export const WEBHOOKS = ['webhooks'];
export const webhooksChanged = (cache: QueryClient) => cache.invalidateQueries({ queryKey: WEBHOOKS });

const EVENTS = Object.keys(words.events) as WebhookEvent[];
const byEvent = <Value,>(read: (event: WebhookEvent) => Value) =>
  Object.fromEntries(EVENTS.map((event) => [event, read(event)])) as Record<WebhookEvent, Value>;

const Fields = defineForm({
  fields: {
    url: {
      label: 'Webhook address',
      kind: 'url',
      hint: 'It starts with https:// and answers with a status from 200 to 299 within ten seconds.',
      required: true,
      autoFocus: true,
      autoComplete: 'off',
      maxLength: MAX_ADDRESS_LENGTH,
    },
    ...byEvent((event) => ({ label: words.events[event], kind: 'check' as const })),
  },
  check: ({ url }) => ({
    url:
      !(/^https?:\/\/[^\s/?#@\\]+([/?][^\s#]*)?$/.test(url) && URL.canParse(url)) &&
      'Enter an address such as https://example.com/hook.',
  }),
  failed: words.failed,
});

type WebhookFormProps = EntryFormProps & { webhook: Webhook | null; onAdded?: (id: string) => Promise<void> };

export function WebhookForm({ webhook, onUnsaved, onAdded, onClose }: WebhookFormProps) {
  useEffect(() => () => onUnsaved('webhooks', false), [onUnsaved]);
  const adding = useWrite(addWebhook, webhooksChanged);
  const changing = useWrite(changeWebhook, webhooksChanged);
  const { say } = useStatus();
  const reportWhenGone = useReportWhenGone(words.failed);

  async function save({ url, ...chosen }: { url: string } & Record<WebhookEvent, boolean>) {
    const events = EVENTS.filter((event) => chosen[event]);
    if (events.length === 0) throw new Error('Choose at least one event.');
    if (webhook) return changing.mutateAsync({ id: webhook.id, url, events }).catch(reportWhenGone);
    const { id } = await adding.mutateAsync({ url, events });
    await onAdded?.(id);
  }

  return (
    <Fields
      className="stack grow"
      size="admin"
      start={{ url: webhook?.url ?? '', ...byEvent((event) => webhook?.events.includes(event) ?? false) }}
      onUnsaved={(unsaved) => onUnsaved('webhooks', unsaved)}
      save={save}
      onSaved={() => {
        say('The webhook is saved.');
        onClose();
      }}
      onCancel={onClose}
      submitLabel="Save webhook"
      busyLabel="Saving..."
    >
      {(field) => (
        <>
          {field('url')}
          <fieldset className="stack gap-2">
            <legend>Events</legend>
            {EVENTS.map((event) => field(event))}
          </fieldset>
        </>
      )}
    </Fields>
  );
}
