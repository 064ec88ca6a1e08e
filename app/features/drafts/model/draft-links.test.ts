import type { PostgrestClient } from '@supabase/postgrest-js';
import { expect, it } from 'vitest';
import { changeDraftLink, lastDayOf } from './draft-links.ts';

/** What the service is asked to keep as a link's end, and answers in its own spelling. */
async function keptEnd(until: string): Promise<string> {
  let end = '';
  const rpc = async (_name: string, args: { p_until: string }) => {
    end = new Date(args.p_until).toISOString().replace('Z', '+00:00');
    return { error: null };
  };
  await changeDraftLink({ rpc } as unknown as PostgrestClient, 'a link', 'For Ravi', until);
  return end;
}

it.each(['2026-12-31', '2027-02-28', '2028-02-29', '2027-10-31'])(
  'shows the last day of a draft link: %s',
  async (day) => {
    const expires_at = await keptEnd(day);
    expect(lastDayOf({ expires_at })).toBe(day);
    // Everywhere on earth that day is over by then, and not a moment is added.
    expect(Date.parse(expires_at)).toBe(Date.parse(`${day}T23:59:59-12:00`));
  },
);
