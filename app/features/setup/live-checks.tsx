import { useCallback, useEffect, useState } from 'react';
import { href } from 'react-router';
import { signInPage } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { Button } from '#ui/form/button.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { RecentMoment } from '#ui/time.tsx';
import { type Health, type HealthCheck, type HealthState, readHealth } from './model/health.ts';
import { healthNames, health as words } from './words/health.ts';
import './setup.css';

const ICON: Record<HealthState, IconName> = { fine: 'check', look: 'warning', unknown: 'info' };

export function LiveChecks({ shown }: { shown: boolean }) {
  const [found, setFound] = useState<Health | null>(null);
  const [busy, setBusy] = useState(false);
  const check = useCallback(async () => {
    setBusy(true);
    setFound(await readHealth(clients().functions));
    setBusy(false);
  }, []);
  useEffect(() => {
    if (shown) void check();
  }, [shown, check]);

  const wrong = found?.checks.filter(({ state }) => state === 'look').length ?? 0;
  return (
    <section className="stack gap-3 live-checks" aria-labelledby="live-checks">
      <div className="gap-4 cluster apart live-checks-head">
        <h2 className="work-topic" id="live-checks">
          {words.title}
        </h2>
        <Button variant="secondary" size="admin" busy={busy} busyLabel={words.checking} onClick={check}>
          {words.again}
        </Button>
      </div>
      <p role="status">{found && !busy && (wrong === 0 ? words.allFine : words.some(wrong))}</p>
      {found && (
        <ul>
          {found.checks.map((one) => (
            <Check key={one.part} check={one} />
          ))}
        </ul>
      )}
      {found && !found.admin && (
        <p>
          {words.forAdmins} <a href={signInPage(`${href('/admin-help')}?tab=troubleshoot`)}>{words.signIn}</a>
        </p>
      )}
    </section>
  );
}

const Check = ({ check: { part, state, says, mend, since, at } }: { check: HealthCheck }) => (
  <li className="live-check stack gap-3 hairline pad-y-3" data-state={state}>
    <Icon name={ICON[state]} />
    <div>
      <p className="live-check-head cluster baseline apart">
        <strong>{healthNames[part]}</strong>
        <span className="live-check-state">
          {words.state[state]}
          {since && state !== 'unknown' && (
            <>
              {' '}
              {words.since} <RecentMoment at={since} />
            </>
          )}
        </span>
      </p>
      <p>
        {says}
        {at && (
          <>
            {' '}
            ({Date.parse(at) > Date.now() ? words.until : words.from} <RecentMoment at={at} />)
          </>
        )}
      </p>
      {mend && <p className="live-check-mend quiet">{mend}</p>}
    </div>
  </li>
);
