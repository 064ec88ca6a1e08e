import { engines } from '../tests/database.ts';
import { interleaved, median } from './measuring/load.ts';
import { figure, ratio } from './measuring/report.ts';

const OBJECTS = 100_000;
const UNUSED = 100;
const ROUNDS = 5;

/** A realistic mix: two pictures in the texts of a project and three media rows. */
const FILL = `
  alter table public.projects disable trigger user;
  alter table public.project_media disable trigger user;
  insert into storage.objects (bucket_id, name, created_at, version, metadata)
  select 'case-studies', 'images/' || md5(n::text)::uuid || '.png', now() - interval '2 days', md5('v' || n)::uuid, '{"size": 100000}'
  from generate_series(1, ${OBJECTS}) n;
  insert into public.projects (id, title, status, description, impact)
  select md5('p' || n)::uuid, 'Project ' || n, 'active',
    repeat('<p>Hands, machines and paper.</p>', 60) || '<img src="/storage/v1/object/public/case-studies/images/' || md5((5 * n)::text)::uuid || '.png">',
    '<img src="/storage/v1/object/public/case-studies/images/' || md5((5 * n + 1)::text)::uuid || '.png">'
  from generate_series(1, ${(OBJECTS - UNUSED) / 5}) n;
  insert into public.project_media (project_id, url)
  select md5('p' || n)::uuid, 'https://mad.example/storage/v1/object/public/case-studies/images/' || md5((5 * n + k)::text)::uuid || '.png'
  from generate_series(1, ${(OBJECTS - UNUSED) / 5}) n, generate_series(2, 4) k;
  alter table public.projects enable trigger user;
  alter table public.project_media enable trigger user;
  select private.repair_object_references();
  analyze`;

/**
 * The query that finds unused files among a hundred thousand: by recorded references, as the hourly sweep does, compared
 * with a search of all texts, as the weekly check does. Then pages of the media library.
 */
export default async function sweep(): Promise<void> {
  for (const engine of engines) {
    const { db, end } = await engine.open({ migrated: true });
    try {
      await db.script(FILL, { timeoutMs: 600_000 });
      const { rows } = await db.query(`select from private.orphaned_objects('1 day')`);
      if (rows.length < UNUSED) throw new Error(`${rows.length} unused files were found`);
      const measureQuery = (text: string) => async () => {
        const startedAt = performance.now();
        await db.transaction((tx) => tx.query(text), { timeoutMs: 600_000 });
        return performance.now() - startedAt;
      };
      const rounds = await interleaved(ROUNDS, {
        written: measureQuery(`select from private.orphaned_objects('1 day')`),
        searched:
          measureQuery(`select from storage.objects where bucket_id = 'case-studies' and created_at < now() - interval '1 day'
          and name not in (select name from private.search_object_references())`),
      });
      const pages = await interleaved(ROUNDS, {
        newest: measureQuery('select public.list_media()'),
        unused: measureQuery(`select public.list_media(state => 'unused')`),
        'without alt text': measureQuery(`select public.list_media(state => 'no_alt')`),
        found: measureQuery(`select public.list_media(words => 'Project 77')`),
      });
      for (const [what, times] of Object.entries(pages))
        figure(`${db.engine}: media library of ${OBJECTS}, ${what}`, `${median(times).toFixed(0)} ms`);
      ratio(`${db.engine}: unused of ${OBJECTS}`, median(rounds['written']!), median(rounds['searched']!), 'ms');
    } finally {
      await end();
    }
  }
}
