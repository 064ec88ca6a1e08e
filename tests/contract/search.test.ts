import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, openRest } from '../../packages/backend/tests/rest/rest-server.ts';
import { forAllTests } from '../for-all-tests.ts';

let guest: Client;

const api = forAllTests(() => openRest({ folder: 'supabase' }));
beforeAll(async () => {
  guest = api.client();
  await api.db.script(`
    insert into public.projects (id, title, client, status, budget, show_budget, created_at) values
      ('b0000000-0000-4000-8000-000000000001', 'A brand of kettles', 'Kulhad & Sons', 'active', 700, false, '2026-01-01'),
      ('b0000000-0000-4000-8000-000000000002', 'Kettles on film', null, 'completed', 800, true, '2026-01-02'),
      ('b0000000-0000-4000-8000-000000000003', 'A kettle in the drawer', null, 'draft', null, true, '2026-01-03');
    insert into public.case_study_metadata (project_id, category, tags)
      select id, case when title ~ 'film' then 'video' end, '{steam}' from public.projects;
    insert into public.project_media (project_id, type, url, "order")
      select id, 'image', 'https://pictures.example/' || n || '.png', n from public.projects, generate_series(1, 3) n;
  `);
});

describe('search_case_studies', () => {
  it('returns public projects with all columns and embeds to the official client', async () => {
    const { data, error } = await guest
      .rpc('search_case_studies', { words: 'kettl', take: 5 })
      .select('title,budget,case_study_metadata(tags),project_media(url)')
      .order('order', { referencedTable: 'project_media', ascending: false })
      .limit(1, { referencedTable: 'project_media' });
    expect(error).toBeNull();
    const media = [{ url: 'https://pictures.example/3.png' }];
    const rest = { case_study_metadata: { tags: ['steam'] }, project_media: media };
    const film = { title: 'Kettles on film', budget: 800, ...rest };
    expect(data).toEqual([film, { title: 'A brand of kettles', budget: null, ...rest }]);
  });

  it('accepts GET with filters and columns like the table', async () => {
    const search = guest.rpc('search_case_studies', { category: 'branding' }, { get: true });
    const { data } = await search.select('title').eq('status', 'active');
    expect(data).toEqual([{ title: 'A brand of kettles' }]);
  });

  it('filters by a fact, which is a column of CSV too', async () => {
    const fact = { name: 'Industry', kind: 'choice', shown: 'filter', options: ['Home', 'Film'] };
    const set = "insert into public.site_settings (name, value) values ('project_facts', $1::text::jsonb)";
    await api.db.query(set, [JSON.stringify([fact])]);
    const admin = api.client((await api.admin()).token);
    const write = (facts: object) => admin.from('projects').update({ facts }).eq('title', 'Kettles on film');
    const { error } = await write({ industry: 'Music' });
    expect(error).toMatchObject({ message: '“Industry” is one of Home, Film. Nothing was saved.' });
    await write({ industry: 'Film' }).throwOnError();
    const search = guest.rpc('search_case_studies', { fact: 'industry:Film' });
    const { data } = await search.select('title,status,facts->>industry').csv();
    expect(data).toBe('title,status,industry\n"Kettles on film",completed,Film');
    await write({}).throwOnError();
  });
});
