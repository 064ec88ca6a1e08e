import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { clients } from '#session/browser.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { type CleanupOverview, readCleanupOverview } from '../model/cleanup.ts';
import { cleanupWords as words } from '../words/cleanup.ts';

export type Standing =
  | { kind: 'asking' }
  | { kind: 'nobody' }
  | { kind: 'person'; email: string }
  | { kind: 'admin'; overview: CleanupOverview; fresh: boolean }
  | { kind: 'unknown'; failure: string };

export function useOverview(): [Standing, () => Promise<void>] {
  const user = useSignedIn();
  const [standing, setStanding] = useState<Standing>({ kind: 'asking' });
  const question = useRef(0);

  const look = useCallback(async () => {
    if (user === undefined) return;
    const current = ++question.current;
    const answer = user ? await askAs(user.email) : ({ kind: 'nobody' } as const);
    // The user or the request may have changed in the meantime.
    if (current === question.current) setStanding(answer);
  }, [user]);
  useEffect(() => void look(), [look]);

  const until = standing.kind === 'admin' && standing.fresh ? Date.parse(standing.overview.may_wipe_until ?? '') : null;
  useEffect(() => {
    if (until === null) return;
    const timer = setTimeout(() => void look(), Math.max(0, until - Date.now()) + 500);
    return () => clearTimeout(timer);
  }, [until, look]);

  return [standing, look];
}

async function askAs(email: string): Promise<Standing> {
  try {
    const overview = await readCleanupOverview(clients().data());
    if (!overview) return { kind: 'person', email };
    return { kind: 'admin', overview, fresh: Date.parse(overview.may_wipe_until ?? '') > Date.now() };
  } catch (error) {
    return { kind: 'unknown', failure: messageOf(error, words.failedToCount) };
  }
}
