import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { PostgrestClient } from '@supabase/postgrest-js';
import postgres from 'postgres';
import { sendSubmission } from '../app/features/submissions/model/send.ts';
import { emptySubmission, type MediaItem, undescribed } from '../app/features/submissions/model/submission.ts';
import { type MailServer, startMailServer } from '../tests/programs/mail-server.ts';
import { startPostgres } from '../tests/programs/postgres.ts';
import { newAddress, publishableKeyOf, type RunningServer, startServer } from '../tests/server.ts';
import { signInAdmin } from './measuring/large-installation/admin-screens.ts';
import type { Viewed, Views } from './measuring/page-views.ts';
import { figure, ratio } from './measuring/report.ts';
import { runSpread } from './measuring/spread.ts';

/** Delay of each response of the mail server, as if it were far away. */
const MAIL_MS = 20;
const LONGEST_WAIT_MS = 300_000;
/** Maximum ratio of the p99 latency of page views. */
const MAX_RATIO = 2;

/**
 * Submissions during page views: 10,000 in 15 minutes with 300 page views per second, or as set by `submissions=N`,
 * `seconds=N`, `views=N` and `workers=N`. Each is sent like the form does, without uploaded pictures, and answered by an
 * admin with an e-mail. No row or e-mail may be lost or duplicated, and p99 of page views may at most double.
 * @throws Error when a row or an e-mail is missing or duplicated
 */
export default async function submissions(args: string[]): Promise<void> {
  const options = new Map(args.map((word) => word.split('=') as [string, string]));
  const option = (name: string, usual: number) => Number(options.get(name) ?? usual);
  const total = option('submissions', 10_000);
  const seconds = option('seconds', 900);
  const views = option('views', 300);
  const [database, mails] = await Promise.all([startPostgres(), startMailServer({ thinks: () => MAIL_MS })]);
  const server = await startServer({
    DATABASE_URL: database.url,
    WORKERS: String(option('workers', 2)),
    SMTP_URL: mails.url,
    SITE_URL: 'http://madhouse.test',
    SEED: 'demo',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'error',
  });
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  try {
    const clients = await openClients(server);
    await viewPages(server, views, 10);
    const baseline = await viewPages(server, views, Math.max(30, seconds / 5));
    const [loaded, refused] = await Promise.all([
      viewPages(server, views, seconds),
      runSpread(total, seconds, (at) => clients.submit(at)),
    ]);
    figure(
      `submissions in ${seconds} s`,
      `${total}, ${refused.length} of them rejected; ${baseline.times.length} and ${loaded.times.length} page views`,
    );
    figure(
      'page views without and with load, p50',
      `${baseline.at(0.5).toFixed(1)} and ${loaded.at(0.5).toFixed(1)} ms`,
    );
    ratio(
      `p99 of page views with load, at most ${MAX_RATIO} times`,
      baseline.at(0.99),
      loaded.at(0.99),
      'ms',
      1 / MAX_RATIO,
    );
    const faults = [
      ...refused,
      ...baseline.faults,
      ...loaded.faults,
      ...(await findFaults(sql, mails, total, refused.length)),
    ];
    figure('lost or duplicated', faults.length ? [...new Set(faults)].slice(0, 10).join('; ') : 'nothing');
    if (faults.length) throw new Error(`${faults.length} faults: ${server.output().slice(-2_000)}`);
  } finally {
    await sql.end();
    await server.stop();
    await mails.stop();
    await database.stop();
  }
}

/** Differences from one row of each kind and one e-mail per submission. */
async function findFaults(sql: postgres.Sql, mails: MailServer, total: number, refused: number): Promise<string[]> {
  const expected = total - refused;
  for (const end = Date.now() + LONGEST_WAIT_MS; mails.accepted.length < expected && Date.now() < end; )
    await sleep(200);
  // A duplicate e-mail would arrive within this time.
  await sleep(5_000);
  const [rows] = await sql`
    select count(*)::int as projects, count(distinct title)::int as different,
      (select count(*)::int from public.project_media where url like 'https://films.example/%') as media,
      count(*) filter (where exists (select from public.case_study_metadata where project_id = projects.id and impact::text like '%Bench%'))::int as texts,
      count(*) filter (where exists (select from public.reviews where project_id = projects.id and state = 'changes_requested'))::int as answered,
      (select count(*)::int from public.review_steps where mail_to is not null and mailed_at is null) as unmailed
    from public.projects where title like 'Bench %'`;
  const addresses = mails.accepted.map(({ to }) => to);
  const counts = { ...rows, mails: addresses.length, mailed: new Set(addresses).size } as Record<string, number>;
  return Object.entries(counts)
    .filter(([label, count]) => count !== (label === 'unmailed' ? 0 : expected))
    .map(([label, count]) => `${label}: ${count} instead of ${label === 'unmailed' ? 0 : expected}`);
}

/** A submitter, whose submission an admin answers. */
async function openClients(server: RunningServer) {
  const { base } = server;
  const key = await publishableKeyOf(base);
  const [, email, password] = /^\s+admin\s+(\S+@\S+)\s+(\S+)/m.exec(server.output())!;
  const admin = await signInAdmin(base, { email: email!, password: password! });
  return {
    /** @throws Error when a request is rejected */
    async submit(at: number): Promise<void> {
      const address = newAddress();
      const media: MediaItem = {
        id: randomUUID(),
        type: 'video',
        url: `https://films.example/${at}`,
        ...undescribed,
        isUploading: false,
        file: null,
      };
      const data = (headers: Record<string, string>) =>
        new PostgrestClient(`${base}/rest/v1`, { headers: { apikey: key, 'x-forwarded-for': address, ...headers } });
      const submission = {
        ...emptySubmission(),
        title: `Bench ${at}`,
        brief: '<p>A brief of ordinary length, with <strong>some</strong> markup.</p>',
        impact: '<p>Bench</p>',
        category: 'ai' as const,
        contact: `submitter-${at}@bench.example`,
        media: [media],
      };
      const outcome = await sendSubmission(() => submission, randomBytes(32).toString('base64url'), {
        auth: { getSession: async () => ({ data: { session: null }, error: null }) },
        data,
        dataForGuest: data,
        finishUploads: async () => [media],
      });
      if (outcome.unfinished || outcome.media.stored !== 1 || !outcome.textsStored)
        throw new Error('A submission was incomplete');
      const seen = await admin.data.rpc('review_version', { p_project: outcome.id });
      const params = { p_project: outcome.id, p_answer: 'ask', p_words: 'Say more.', p_mail: true, p_seen: seen.data };
      const { error } = await admin.data.rpc('answer_review', params);
      if (error) throw new Error(error.message);
    },
  };
}

/** Views pages in a thread of its own, so that submitting does not delay it. */
async function viewPages({ base }: RunningServer, perSecond: number, seconds: number) {
  const workerData: Views = { base, perSecond, seconds };
  const thread = new Worker(new URL('./measuring/page-views.ts', import.meta.url), { workerData });
  const [{ times, faults }] = (await once(thread, 'message')) as [Viewed];
  return { times, faults, at: (share: number) => times[Math.floor((times.length - 1) * share)]! };
}
