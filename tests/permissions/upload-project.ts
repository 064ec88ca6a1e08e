import { expect } from 'vitest';
import { admin, guest, ids } from './actors.ts';
import { onStage } from './stage.ts';

const NEW = 'b0000000-0000-4000-8000-00000000beef';
const UPLOAD = `select upload_project(
  project_id => $1,
  fields => jsonb_build_object('title', 'Uploaded', 'client', ' ', 'status', $2::text, 'budget', 12.5,
    'start_date', '2026-01-31', 'category', 'ai', 'tags', '{one,two}'::text[], 'submitted_at', null, 'number', 7),
  description => '<p>Brief</p>', understanding => '<p>U</p>', media => $3::text::jsonb) as answer`;
const MEDIA = JSON.stringify([
  { url: 'https://pictures.example/1.png', title: 'First', alt: ' A heron ' },
  { url: 'https://youtu.be/dQw4w9WgXcQ', title: 'Second', type: 'video' },
]);

export const uploadProject = onStage('simple upload', ({ test }) => {
  const stored = `select title, description, client, status, budget, created_by, submitted_at is not null as complete,
    (select array[category, tags::text, understanding, brief] from case_study_metadata where project_id = p.id) as texts,
    (select json_agg(json_build_array(type, url, title, alt, "order") order by "order") from project_media where project_id = p.id) as media
    from projects p where id = $1`;

  test('stores a whole project for an admin, and creates no duplicate on repetition (UPLOAD-08, PERM-11)', async (scene) => {
    const { as } = scene;
    for (const _ of ['first call', 'second call'])
      expect(await as(admin).call(UPLOAD, [NEW, 'active', MEDIA])).toEqual({ answer: NEW, status: null });
    const fields = { title: 'Uploaded', description: '<p>Brief</p>', client: null, status: 'active', budget: '12.50' };
    const texts = ['ai', '{one,two}', '<p>U</p>', '<p>Brief</p>'];
    const media = [
      ['image', 'https://pictures.example/1.png', 'First', 'A heron', 0],
      ['video', 'https://youtu.be/dQw4w9WgXcQ', 'Second', null, 1],
    ];
    const row = { ...fields, created_by: ids.admin, complete: true, texts, media };
    expect(await as(guest).rows(stored, [NEW])).toEqual([row]);
  });

  test('stores credits and team with the project, as one version of the admin (M8, D7)', async ({ as, server }) => {
    const profiles = await server.rows<{ id: string }>('select id from profiles where user_id = $1', [ids.otherUser]);
    const credits = [{ part: 'Idea', made: 'hand', people: ['Asha'], tools: [] }];
    const team = [
      { user_id: profiles[0]!.id, name: null, role: ' Editor ', contribution_percentage: 99.98 },
      { user_id: null, name: 'Ben', role: null, contribution_percentage: 0.02 },
      { user_id: null, name: 'Cleo', role: ' ', contribution_percentage: null },
    ];
    const create = `select upload_project(project_id => $1,
        fields => '{"title": "With a team", "category": "social", "tags": ["fresh"]}'::jsonb
          || jsonb_build_object('credits', $2::text::jsonb),
        team => $3::text::jsonb) as answer`;
    const values = [NEW, JSON.stringify(credits), JSON.stringify(team)];
    for (const _ of ['first call', 'second call']) expect(await as(admin).answer(create, values)).toBe(NEW);
    const STORED = `select created_by, category, tags, credits, hand_share,
        (select json_agg(json_build_array(user_id = $2, name, role, contribution_percentage) order by created_at)
         from project_members where project_id = projects.id) as team,
        (select count(*)::int from project_versions where project_id = projects.id) as versions
      from projects join case_study_metadata on project_id = projects.id where projects.id = $1`;
    const storedTeam = [
      [true, 'Terry', 'Editor', 99.98],
      [null, 'Ben', null, 0.02],
      [null, 'Cleo', null, null],
    ];
    const texts = { category: 'social', tags: ['fresh'], credits, hand_share: 100 };
    const row = { created_by: ids.admin, ...texts, team: storedTeam, versions: 1 };
    expect(await server.rows(STORED, [NEW, profiles[0]!.id])).toEqual([row]);
    // Shares above 100 %, even by a hundredth, reject the whole call.
    team[1]!.contribution_percentage = 0.03;
    const otherId = NEW.replace('beef', 'cafe');
    const refused = [otherId, JSON.stringify(credits), JSON.stringify(team)];
    await as(admin).refused('PT422', create, refused);
    expect(await server.rows('select from projects where id = $1', [otherId])).toEqual([]);
  });

  test('stores nothing of a project when one part is rejected', async ({ as, server }) => {
    for (const [media, code] of [
      ['[{"url": "javascript:alert(1)", "title": "x"}]', '23514'],
      ['[{"title": "x"}]', '23502'],
      ['{"url": "https://pictures.example/1.png"}', '22023'],
      [JSON.stringify(Array(51).fill({ url: 'https://pictures.example/1.png', title: 'x' })), 'PT422'],
    ] as const)
      await as(admin).refused(code, UPLOAD, [NEW, 'draft', media]);
    await as(admin).refused('23514', UPLOAD, [NEW, 'nonsense', MEDIA]);
    expect(await server.rows('select from projects where id = $1', [NEW])).toEqual([]);
  });

  test('creates a draft by default (CONST-23)', async ({ as }) => {
    await as(admin).call(`select upload_project(project_id => $1, fields => '{"title": "Bare"}') as answer`, [NEW]);
    expect(await as(admin).rows('select status from projects where id = $1', [NEW])).toEqual([{ status: 'draft' }]);
  });
});
