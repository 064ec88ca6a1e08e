import { expect, it, onTestFinished } from 'vitest';
import { needs } from '../../../app/features/dashboard/words/dashboard.ts';
import { PROJECTS_ON_A_PAGE } from '../../../app/features/projects/model/list.ts';
import { DESKTOP, expectFocus, mayComplain, PHONE } from '../../browser.ts';
import { mockResponse, openAsAdmin, requestsOf } from '../hands.ts';
import { admin, openPage, seeded, startSeeded } from '../seeded.ts';
import { dataAs, dataWith, enterAdmin } from '../signing-in.ts';

startSeeded();

const CHAI = 'e0000000-0000-4000-8000-000000000001';

it('dashboard links to every screen, shows the five newest experiments, all projects with at most four pictures each, and empty states (DASH-01, DASH-02, DASH-03, DASH-04, DASH-05, DASH-06, DASH-07, DASH-08, DASH-09, DASH-10, DASH-12, DASH-13, DASH-14, CONST-16, CONST-17)', async () => {
  const data = await dataAs(admin);
  const plans = Array.from({ length: PROJECTS_ON_A_PAGE }, (_, n) => ({ title: `Plan ${n}` }));
  expect((await data.from('projects').insert(plans)).error).toBeNull();
  onTestFinished(async () => {
    expect((await data.from('projects').delete().like('title', 'Plan %')).error).toBeNull();
  });
  // One project has more pictures than a row shows.
  const { data: pictures } = await data.from('project_media').select('project_id,type,url').eq('project_id', CHAI);
  const fifth = pictures!.map((picture, at) => ({ ...picture, title: 'Once more', order: 10 + at }));
  expect((await data.from('project_media').insert(fifth)).error).toBeNull();
  onTestFinished(async () => {
    expect((await data.from('project_media').delete().eq('title', 'Once more')).error).toBeNull();
  });
  const latest = data.from('projects').select('id,title,project_media(id)').order('created_at', { ascending: false });
  const all = (await latest.order('id', { ascending: false })).data!;
  const page = await openAsAdmin();
  const screen = page.getByRole('main');
  const leadsTo = (name: string) => screen.getByRole('link', { name, exact: true }).first().getAttribute('href');
  expect(await leadsTo('Settings')).toBe('/admin/settings');
  expect(await leadsTo('View All')).toBe('/admin/case-studies');
  const newProject = screen.getByRole('link', { name: 'New Project', exact: true });
  expect(await newProject.getAttribute('href')).toBe('/admin/projects/new');
  const tiles = await screen
    .getByRole('region', { name: 'Quick Actions' })
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => [link.querySelector('strong')?.textContent, link.getAttribute('href')]));
  expect(tiles).toEqual([
    ['New Project', '/admin/projects/new'],
    ['Manage Mad Experiments', '/admin/case-studies'],
    ['New Experiment', '/case-study-upload'],
    ['Manage Users', '/admin/users'],
  ]);

  const recent = page.getByRole('region', { name: 'Recent Mad Experiments' });
  await recent.getByRole('listitem').first().waitFor();
  const links = await recent
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => [...item.querySelectorAll('a')].map((link) => link.pathname)));
  expect(links).toEqual(all.slice(0, 5).map(({ id }) => [`/case-studies/${id}`, `/admin/projects/${id}/edit`]));

  const list = page.getByRole('region', { name: 'All Projects' });
  const rows = list.locator('tbody tr');
  await rows.first().waitFor();
  while ((await rows.count()) < all.length) {
    const before = await rows.count();
    await list.getByRole('button', { name: 'Load more' }).click();
    await rows.nth(before).waitFor();
  }
  expect(await rows.count()).toBe(all.length);
  expect(await list.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  const [first] = all;
  // Two scheduled titles begin alike.
  const target = (name: string) => list.getByRole('link', { name, exact: true }).getAttribute('href');
  expect(await target(`View ${first!.title}`)).toBe(`/admin/projects/${first!.id}`);
  expect(await target(`Edit ${first!.title}`)).toBe(`/admin/projects/${first!.id}/edit`);
  const shown = await rows.evaluateAll((items) => items.map((item) => item.querySelectorAll('.thumbnail').length));
  expect(shown).toEqual(all.map(({ project_media }) => Math.min(4, project_media.length)));
  expect(Math.max(...all.map(({ project_media }) => project_media.length))).toBeGreaterThan(4);

  await page.route('**/rest/v1/projects*', (route) => route.fulfill({ json: [] }));
  await page.route('**/rest/v1/rpc/find_projects*', (route) => route.fulfill({ json: [] }));
  await mockResponse(page, '**/rest/v1/rpc/count_projects?*', { json: [{ projects: 0, exact: true }] });
  await page.reload();
  await page.getByText('No experiments found.', { exact: true }).waitFor();
  await page.getByText('No projects yet. Click "New Project" to create one.', { exact: true }).waitFor();
});

it.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const)('dashboard keeps the position of its lists while other parts load (%s)', async (name, device) => {
  const page = await openPage(device);
  const message = { p_name: 'Asha', p_email: 'asha@example.com', p_message: `Could you call me back? (${name})` };
  await dataWith().rpc('send_message', message).throwOnError();
  let held = /\/rest\/v1\/(?!rpc\/is_admin)/;
  await page.route('**/rest/v1/**', async (route) => {
    while (held.test(route.request().url())) await new Promise((resolve) => setTimeout(resolve, 20));
    await route.continue();
  });
  const top = (heading: string) =>
    page.getByRole('heading', { name: heading }).evaluate((there) => there.getBoundingClientRect().top + scrollY);
  await enterAdmin(page, admin);
  await page.getByRole('link', { name: needs.seeChecks }).waitFor();
  const recent = await top('Recent Mad Experiments');
  const before = await top('All Projects');
  held = /admin_overview|reading_report/;
  await page.getByRole('region', { name: 'Recent Mad Experiments' }).getByRole('listitem').first().waitFor();
  await page.getByRole('region', { name: 'All Projects' }).locator('tbody tr').first().waitFor();
  for (const name of ['Review now', 'Read messages']) await page.getByRole('link', { name }).waitFor();
  expect(await top('Recent Mad Experiments')).toBe(recent);
  const all = await top('All Projects');
  // The number of lines of five titles is known when they are loaded.
  expect(Math.abs(all - before)).toBeLessThan(120);
  held = /^never$/;
  await page.getByText(/ experiments, /).waitFor();
  await page.locator('#submissions ~ .chart-panel').waitFor();
  await page.locator('#reading ~ :is(.chart-panel, .empty)').waitFor();
  expect(await top('Recent Mad Experiments')).toBe(recent);
  expect(await top('All Projects')).toBe(all);
});

it('project screens create, edit, publish and delete a project with a media item, with the same dates west of Greenwich (PFORM-01, PFORM-03, PFORM-05, PFORM-06, PFORM-08, PFORM-09, PDET-01, PDET-02, PDET-04, PDET-06, PDET-07, PDET-08, PDET-09, CONST-18, DASH-11)', async () => {
  const data = await dataAs(admin);
  const page = await openAsAdmin('/admin/projects/new', { ...DESKTOP, timezoneId: 'America/New_York' });
  await page.getByLabel('Title').fill('Kaleidoscope Kiosk');
  await page.getByLabel('Client').fill('Lens & Co');
  await page.locator('.ProseMirror').first().waitFor();
  await page.getByRole('textbox', { name: 'The Brief' }).fill('Mirrors for everybody.');
  for (const [name, words] of [
    ['Our Understanding', 'Nobody had one.'],
    ['What We Did', 'We made mirrors.'],
    ['The Impact', 'Everybody looks.'],
  ] as const)
    await page.getByRole('textbox', { name }).fill(words);
  expect(await page.getByLabel('Status').inputValue()).toBe('draft');
  await page.getByLabel('Category').selectOption('ai');
  await page.getByLabel('Tags').fill('mirrors');
  await page.getByLabel(/^Budget/).fill('1250.5');
  await page.getByLabel('Start date').fill('2026-02-03');
  await page.getByLabel('End date').fill('2026-03-04');
  await page.getByRole('button', { name: 'Create project' }).click();

  await page.getByRole('heading', { level: 1, name: 'Kaleidoscope Kiosk' }).waitFor();
  const id = /^\/admin\/projects\/([\da-f-]{36})$/.exec(new URL(page.url()).pathname)![1]!;
  const details = page.getByRole('region', { name: 'Details' });
  for (const text of ['draft', 'Lens & Co', '$1,250.50', '3 Feb 2026', '4 Mar 2026'])
    await details.getByText(text, { exact: true }).waitFor();
  await details.getByText(admin.email).waitFor();
  const terms = details.locator('dt');
  const facts = await terms.evaluateAll((all) => all.map((dt) => [dt.textContent, dt.nextElementSibling?.textContent]));
  expect(facts).toEqual([
    ['Status', 'draft'],
    ['Client', 'Lens & Co'],
    ['Budget', '$1,250.50'],
    ['Start date', '3 Feb 2026'],
    ['End date', '4 Mar 2026'],
    ['Category', 'AI Solutions'],
    ['Tags', 'mirrors'],
    ['Created', expect.stringMatching(/ \d{4}$/)],
    ['Last change', expect.stringMatching(/ \d{4}$/)],
    ['Created by', expect.stringContaining(admin.email)],
  ]);
  for (const text of ['Mirrors for everybody.', 'Nobody had one.', 'We made mirrors.', 'Everybody looks.'])
    await page.getByText(text, { exact: true }).waitFor();
  const stored = async () =>
    (await data.from('projects').select('title,client,status,budget,start_date,end_date,impact').eq('id', id)).data;
  const written = { title: 'Kaleidoscope Kiosk', client: 'Lens & Co', impact: '<p>Everybody looks.</p>' };
  expect(await stored()).toEqual([
    { ...written, status: 'draft', budget: 1250.5, start_date: '2026-02-03', end_date: '2026-03-04' },
  ]);
  await page.getByText('No team members yet.').waitFor();
  expect(await page.getByRole('link', { name: 'Back to Projects' }).getAttribute('href')).toBe('/admin');

  const edit = page.getByRole('link', { name: 'Edit', exact: true });
  expect(await edit.getAttribute('href')).toBe(`/admin/projects/${id}/edit`);
  await edit.click();
  await page.getByRole('heading', { name: 'Edit project' }).waitFor();
  const statuses = await page.getByLabel('Status').locator('option').allTextContents();
  expect(statuses).toEqual(['draft', 'active (public)', 'completed (public)', 'archived']);
  await page.getByLabel('Status').selectOption('completed');
  for (const label of [/^Budget/, 'Start date', 'End date']) await page.getByLabel(label).fill('');
  const address = page.locator('.add-media-form');
  await address.getByLabel('Type').selectOption('video');
  await address.getByLabel('Address').fill('https://youtu.be/dQw4w9WgXcQ');
  await address.getByLabel('Title').fill('The film');
  await address.getByRole('button', { name: 'Add Media via URL' }).click();
  await page.getByRole('button', { name: 'Delete media The film' }).waitFor();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.waitForURL((url) => url.pathname === `/admin/projects/${id}`);
  await details.getByText('completed').waitFor();
  expect(await details.getByText('Not given').count()).toBe(3);
  expect(await stored()).toEqual([{ ...written, status: 'completed', budget: null, start_date: null, end_date: null }]);
  const media = page.getByRole('region', { name: 'Media' });
  const film = await media.getByRole('link', { name: 'Open video' }).getAttribute('href');
  expect(film).toBe('https://youtu.be/dQw4w9WgXcQ');
  const left = async () => (await data.from('project_media').select('title').eq('project_id', id)).data;
  for (const answer of ['Cancel', 'Delete Permanently']) {
    expect(await left()).toEqual([{ title: 'The film' }]);
    await page.getByRole('button', { name: 'Delete media The film' }).click();
    await page.getByText('Are you sure you want to delete this media item?', { exact: true }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: answer }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }
  await page.getByText('No media yet.').waitFor();
  expect(await left()).toEqual([]);

  const read = () => fetch(`${seeded.base}/case-studies/${id}`);
  expect(await (await read()).text()).toMatch(/Kaleidoscope Kiosk.*Mirrors for everybody\./s);

  await page.getByRole('link', { name: 'Back to Projects' }).click();
  const question = page.getByText('Are you sure you want to delete this project?', { exact: true });
  await page.getByRole('button', { name: 'Delete Kaleidoscope Kiosk' }).click();
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'hidden' });
  expect(await stored()).toHaveLength(1);
  await page.getByRole('button', { name: 'Delete Kaleidoscope Kiosk' }).click();
  await question.waitFor();
  await page.getByRole('button', { name: 'Delete Permanently' }).click();
  await page.getByRole('button', { name: 'Delete Kaleidoscope Kiosk' }).waitFor({ state: 'detached' });
  expect(await stored()).toEqual([]);
  await page.goto(`/admin/projects/${id}/edit`);
  await page.getByRole('heading', { name: 'Project not found' }).waitFor();
  expect((await read()).status).toBe(404);
});

it('project screens require a title and a valid budget before sending, show an error, with their own text when the service returns none, and keep the input (PDET-03, PFORM-02, PFORM-04, PFORM-07, PFORM-10, PFORM-11, PDET-10, ERR-10)', async () => {
  const data = await dataAs(admin);
  const { data: project } = await data.from('projects').insert({ title: 'Stubborn' }).select('id').single();
  const demo = { project_id: project!.id, type: 'demo', url: 'https://example.com/', title: 'Demo', order: 0 };
  await data.from('project_media').insert(demo);
  const page = mayComplain(await openAsAdmin('/admin/projects/no-such-id/edit'));
  await page.getByRole('heading', { name: 'Project not found' }).waitFor();

  let refused = 'POST';
  let message = '';
  await page.route(/\/rest\/v1\/(project|rpc\/(save|upload)_project)/, (route) =>
    route.request().method() === refused
      ? route.fulfill({ status: 500, json: { message, code: 'XX000', details: null, hint: null } })
      : route.continue(),
  );
  const alert = page.getByRole('alert');
  await page.goto('/admin/projects/new');
  const sent = requestsOf(page, (request) => request.method() === 'POST');
  await page.getByLabel('Budget', { exact: false }).first().fill('-1');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByText('Title is required').waitFor();
  const budget = page.getByLabel('Budget', { exact: false }).first();
  const problem = page.getByText('Budget must be a number of 0 or more');
  await problem.waitFor();
  expect([await budget.getAttribute('min'), await budget.getAttribute('step')]).toEqual(['0', '0.01']);
  await expectFocus(page.getByLabel('Title'));
  await budget.fill('0');
  await page.getByRole('button', { name: 'Create project' }).click();
  await problem.waitFor({ state: 'hidden' });
  // To the page, such fields are empty.
  await budget.press('End');
  await budget.pressSequentially('-5');
  await page.getByLabel('Start date').pressSequentially('12');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByText('This is not a number').waitFor();
  await page.getByText('Please complete this date, or clear it').waitFor();
  expect(sent.length).toBe(0);
  await budget.fill('');
  await page.getByLabel('Start date').fill('');
  await page.getByLabel('Title').fill('Never stored');
  await page.getByRole('button', { name: 'Create project' }).click();
  await alert.getByText('Failed to create project', { exact: true }).waitFor();
  expect(await page.getByLabel('Title').inputValue()).toBe('Never stored');
  message = 'the press is jammed';
  await page.getByRole('button', { name: 'Create project' }).click();
  await alert.getByText('API Error: the press is jammed').waitFor();
  // The banner also says what to do (U29).
  await alert.getByText('choose Create project again').waitFor();
  message = '';

  await page.goto(`/admin/projects/${project!.id}/edit`);
  await page.getByRole('textbox', { name: 'Title' }).first().fill('Changed');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await alert.getByText('Failed to update project', { exact: true }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Title' }).first().inputValue()).toBe('Changed');
  message = 'the press is jammed';
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await alert.getByText('API Error: the press is jammed').waitFor();
  message = '';

  refused = 'DELETE';
  await page.goto(`/admin/projects/${project!.id}`);
  await page.getByRole('button', { name: 'Delete media Demo' }).click();
  await page.getByRole('button', { name: 'Delete Permanently' }).click();
  await alert.getByText('Failed to delete media', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete Permanently' }).click();
  await alert.getByText('Failed to delete project', { exact: true }).waitFor();

  refused = 'GET';
  await page.reload();
  await alert.getByText('Failed to load project', { exact: true }).waitFor();

  refused = '';
  await page.reload();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Are you sure you want to delete this project?', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete Permanently' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  expect((await data.from('projects').select('id').eq('id', project!.id)).data).toEqual([]);
});
