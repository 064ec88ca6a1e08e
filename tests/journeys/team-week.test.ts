import { expect, it } from 'vitest';
import { inbox } from '../../app/features/messages/words/admin.ts';
import { newSecret } from '../../app/lib/data/ids.ts';
import { PHONE } from '../browser.ts';
import { chooseInRow, draft, issueSheetOf } from './experiments.ts';
import { answerReview, makeLink, openAsAdmin, openSignedIn, said } from './hands.ts';
import { button } from './page-editor.ts';
import { admin, htmlOf, openAt, startSeeded } from './seeded.ts';
import { dataAs, dataWith, newAccount, newEditor } from './signing-in.ts';
import { fillIn, openNewForm, privateLink, send } from './submit/form.ts';

startSeeded({ embedded: true });

const OTHERS = ['Kite', 'Drum', 'Bell', 'Sail', 'Oar', 'Rope', 'Mast', 'Deck', 'Hull'];

const read = (id: string) => htmlOf(`/case-studies/${id}`);

it('a week of the team: ten submissions, a client’s comments, a scheduled publication, an editor’s day, a statement paid', {
  timeout: 600_000,
}, async () => {
  const data = await dataAs(admin);

  // Monday: a visitor submits from a phone, and nine others.
  const phone = await openNewForm(PHONE);
  await fillIn(phone, 'A lantern that waits');
  await phone.getByLabel('Where can we reach you?').fill('asha@example.com');
  await send(phone);
  const { id, link: ownLink } = await privateLink(phone);
  const others: Record<string, string> = {};
  for (const title of OTHERS) others[title] = await draft(title, { secret: newSecret() });
  const message = { p_name: 'Kabir', p_email: 'kabir@example.com', p_message: 'A sign for a tea shop, please.' };
  await dataWith().rpc('send_message', message).throwOnError();

  // Tuesday: an admin defines a fact, and the editor's day begins.
  const office = await openAsAdmin('/admin/settings#projects');
  await button(office, 'Add text').click();
  await office.getByRole('group', { name: 'Fact 1', exact: true }).getByLabel('Name').fill('Material');
  await button(office, 'Save Changes').click();
  await said(office, 'Saved. The site shows it from now on.');

  const editor = await newEditor();
  const desk = await openSignedIn(editor, `/admin/review/${others['Drum']}`);
  await answerReview(desk, 'decline', 'We have a drum already.');
  await said(desk, '“Drum” is declined.');
  await desk.goto(`/admin/review/${others['Bell']}`);
  await answerReview(desk, 'ask', 'Please add a picture of the bell.');
  await desk.getByRole('dialog').waitFor({ state: 'detached' });
  await desk.goto(`/admin/review/${others['Kite']}`);
  await answerReview(desk, 'publish');
  await desk.getByText('“Kite” is published.').waitFor();
  expect(await read(others['Kite']!)).toContain('Kite');
  await desk.goto('/admin/messages');
  const letter = desk.getByRole('row').filter({ hasText: 'A sign for a tea shop' });
  await chooseInRow(desk, 'the message from Kabir', inbox.start);
  await letter.getByRole('link', { name: 'Enquiry from Kabir' }).waitFor();

  // Wednesday: a client comments on the lantern and approves it; the editor answers.
  await desk.goto(`/admin/review/${id}`);
  const client = await openAt(await makeLink(desk, 'Ravi'), PHONE);
  await client.getByRole('link', { name: 'Comment and approve' }).click();
  const brief = client.getByRole('region', { name: 'The Brief', exact: true });
  await brief.locator('summary').last().click();
  await brief.getByLabel('Your comment').fill('Say where it hangs.');
  await brief.getByRole('button', { name: 'Send' }).click();
  await brief.getByText('Sent. We see it in our inbox.').waitFor();
  await desk.goto('/admin');
  const need = desk.getByRole('listitem').filter({ hasText: 'open comment on “A lantern that waits”' });
  await need.getByRole('link', { name: 'Answer' }).click();
  const comments = desk.getByRole('region', { name: 'Comments' });
  const thread = comments.getByRole('listitem').filter({ hasText: 'where it hangs' });
  await thread.locator('summary').click();
  await thread.getByLabel('Your answer').fill('In the harbour. It is in the text now.');
  await thread.getByRole('button', { name: 'Send' }).click();
  await thread.getByText('Your answer is sent.').waitFor();
  await desk.goto(`/admin/projects/${id}/edit`);
  await desk.getByLabel('Material').fill('Felt and brass');
  await button(desk, 'Save Changes').click();
  await desk.getByRole('heading', { level: 1, name: 'A lantern that waits' }).waitFor();
  await client.reload();
  await brief.getByText('In the harbour.').waitFor();
  await button(client, 'Resolve “Say where it hangs.”').click();
  await button(client, 'Approve').click();
  await client.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await client.getByText('You approved this on').waitFor();

  // Thursday: the editor schedules the publication, which servers carry out at its date.
  await desk.goto(`/admin/projects/${id}`);
  await comments.getByText('approved this version').waitFor();
  for (const name of ['Publish at a date', 'Save date']) await button(desk, name).click();
  await desk.getByText('Goes live on').waitFor();
  expect(await read(id)).not.toContain('A lantern that waits');
  const soon = new Date(Date.now() + 3_000).toISOString();
  await data.rpc('plan_change', { p_kind: 'publish', p_at: soon, p_project: id }).throwOnError();
  await expect.poll(() => read(id)).toContain('Felt and brass');
  await client.goto(`/case-studies/${id}`);
  await client.getByRole('heading', { level: 1, name: 'A lantern that waits' }).waitFor();
  await client.getByText('Say where it hangs.').waitFor({ state: 'detached' });
  await phone.goto(ownLink);
  await phone.getByRole('heading', { level: 1, name: 'A lantern that waits' }).waitFor();

  // Friday: an admin issues the split sheet and pays the first instalment.
  const mo = await newAccount();
  const { data: person } = await data.from('profiles').select('id').eq('email', mo.email).single().throwOnError();
  await data.from('site_settings').upsert({ name: 'unallocated_share_to', value: 'The hardship fund' }).throwOnError();
  const dates = { budget: 1000, start_date: '2027-01-10', end_date: '2027-02-20' };
  await data.from('projects').update(dates).eq('id', id).throwOnError();
  await issueSheetOf(id, '1000', null, [{ cut: 'team', name: 'Mo', member: person!.id, input: '25' }]);
  await office.goto(`/admin/projects/${id}/split`);
  const paper = office.getByRole('article', { name: /^Statement/ }).filter({ hasText: 'For Mo' });
  await paper.getByRole('button', { name: /: Instalment 1/ }).click();
  await office.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click();
  await paper.getByText('Paid').first().waitFor();
  const member = await openSignedIn(mo, '/my-statements', PHONE);
  const paid = member.getByRole('region', { name: 'Earnings by year' }).getByText(/Paid \$[1-9]/);
  await paid.first().waitFor();

  // The log of the week names them.
  const { data: log } = await data.rpc('read_log', { who: editor.email, take: 500 });
  const kinds = new Set((log as { rows: { action: string }[] }).rows.map(({ action }) => action));
  const done = ['reviews.decline', 'reviews.ask', 'reviews.publish', 'draft_comments.add', 'projects.plan_publish'];
  for (const kind of done) expect(kinds).toContain(kind);
});
