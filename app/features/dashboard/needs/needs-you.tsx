import { useQuery } from '@tanstack/react-query';
import { href } from 'react-router';
import { useUnhandled } from '#features/messages/message-queries.ts';
import { countText } from '#features/reviews/model/review.ts';
import { useCount, useOldestWaiting } from '#features/reviews/review-queries.ts';
import { useExampleContacts } from '#features/settings/example-contacts.tsx';
import { healthQuery } from '#features/setup/health-query.ts';
import { faultsIn } from '#features/setup/model/health.ts';
import { healthNames } from '#features/setup/words/health.ts';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button } from '#ui/form/button.tsx';
import { wholeDays } from '#ui/time.tsx';
import { needs as words } from '../words/dashboard.ts';
import { type Need, NeedRow } from './need-row.tsx';

export const CHECKS = `${href('/admin-help')}?tab=troubleshoot`;

export function NeedsYou({ firstRun }: { firstRun: boolean }) {
  const waiting = useCount('waiting');
  const oldest = useOldestWaiting();
  const messages = useUnhandled();
  const health = useQuery(healthQuery);
  const examples = useExampleContacts();
  const queries = [waiting, oldest, messages, health];
  const failed = queries.some(({ isError }) => isError) || health.data?.admin === false;

  const found: Need[] = [];
  const counting = waiting.isPending || oldest.isPending;
  if (counting || waiting.data?.reviews)
    found.push({
      icon: 'inbox',
      title: words.waiting(waiting.data ? countText(waiting.data) : '1', oldest.data ? wholeDays(oldest.data) : null),
      to: href('/admin/review'),
      action: words.review,
      pending: counting,
    });
  if (messages.isPending || messages.data)
    found.push({
      icon: 'mail',
      title: words.messages(messages.data ?? 1),
      to: href('/admin/messages'),
      action: words.readMessages,
      pending: messages.isPending,
    });
  if (examples && !firstRun)
    found.push({
      icon: 'warning',
      title: words.examples,
      detail: examples,
      to: href('/admin/settings'),
      action: words.replaceExamples,
    });
  for (const { part, says } of health.data ? faultsIn(health.data) : [])
    if (!(firstRun && part === 'mail'))
      found.push({
        icon: 'warning',
        title: words.attention(healthNames[part]),
        detail: says,
        to: CHECKS,
        action: words.seeChecks,
        leaves: true,
      });

  const checking = health.isPending && !firstRun;
  const none = found.length === 0 && !checking && !failed;
  if (firstRun && (none || found.every(({ pending }) => pending))) return null;
  return (
    <section aria-labelledby="needs">
      <h2 className="screen-section" id="needs">
        {words.title}
      </h2>
      {none ? (
        <p className="row-meta">{words.none}</p>
      ) : (
        <ul className="rows">
          {found.map((need) => (
            <NeedRow key={need.title} need={need} />
          ))}
          {checking && (
            <li className="row">
              <Spinner label={words.checking} />
            </li>
          )}
          {failed && (
            <li className="row">
              <span className="row-words">{words.unknown}</span>
              <Button
                variant="secondary"
                size="admin"
                busy={queries.some(({ isFetching }) => isFetching)}
                onClick={() => {
                  for (const query of queries) void query.refetch();
                }}
              >
                Try Again
              </Button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}
