import { describe, expect, it } from 'vitest';
import { cellsOf, describeAction, type LogLine, linkOf, logParams, sentenceOf } from './audit-log.ts';
import { changeOf } from './log-changes.ts';

const line = (change: Partial<LogLine>): LogLine => ({
  id: 'audit:1',
  at: '2026-11-21T10:00:00+00:00',
  action: 'projects.publish',
  outcome: 'done',
  reason: null,
  address: '192.0.2.1',
  object: 'x',
  things: [],
  has_changes: false,
  actor_kind: 'admin',
  actor: { id: 'a', name: 'mina@example.com' },
  ...change,
});
const project = { id: 'p', kind: 'project' as const, name: 'Chai in space', of: null };

describe('audit log line', () => {
  it('is a sentence with the names of the user and the object', () => {
    expect(sentenceOf(line({ things: [project] }))).toBe('mina@example.com published “Chai in space”');
    const media = { id: 'm', kind: 'media' as const, name: 'Cup', of: 'Chai in space' };
    expect(describeAction(line({ action: 'project_media.delete', things: [media] }))).toBe(
      'deleted media: “Cup” in “Chai in space”',
    );
    expect(
      describeAction(line({ action: 'project_media.delete', things: [{ ...media, name: 'https://a.example/5.png' }] })),
    ).toBe('deleted media: an untitled item in “Chai in space”');
    const person = { id: 'u', kind: 'person' as const, name: 'ada@example.com', of: null };
    const role = { id: 'r', kind: 'role' as const, name: 'admin', of: null };
    expect(describeAction(line({ action: 'user_roles.delete', things: [person, role] }))).toBe(
      'took the role “admin” from ada@example.com',
    );
    expect(describeAction(line({ action: 'identity.factor_removed', things: [person] }))).toBe(
      'removed a second factor of ada@example.com',
    );
    expect(describeAction(line({ action: 'identity.factor_removed' }))).toBe('removed a second factor');
    expect(describeAction(line({ action: 'site_settings.update', object: 'phone site_name', reason: '2 rows' }))).toBe(
      'changed settings: Phone, Site name',
    );
  });

  it('has no actor when the first admin is created (M3)', () => {
    const things = [{ id: 'u', kind: 'person' as const, name: 'asha@example.com', of: null }];
    const first = line({ action: 'admin_role.first', actor: null, actor_kind: 'guest', things });
    expect(sentenceOf(first)).toBe('First admin created with the setup key: asha@example.com');
  });

  it('describes refused actions and deleted objects', () => {
    const refused = line({ action: 'identity.login', outcome: 'refused', actor: null, actor_kind: 'guest' });
    expect(sentenceOf(refused)).toBe('A visitor who wasn’t signed in tried to sign in and was refused');
    expect(sentenceOf(line({ action: 'projects.delete', actor: { id: 'a', name: null } }))).toBe(
      'A deleted admin account deleted a project that no longer exists',
    );
    expect(describeAction(line({ action: 'user.ban' }))).toBe('banned an account that no longer exists');
  });

  it('shows a count instead of long lists of names', () => {
    const many = line({ action: 'projects.delete', things: [project], reason: '12 rows' });
    expect(describeAction(many)).toBe('deleted “Chai in space” and 11 more');
    expect(describeAction({ ...many, things: [] })).toBe('deleted 12 items that no longer exist');
  });

  it('has a fallback sentence for unknown actions', () => {
    expect(describeAction(line({ action: 'keys_given.insert', things: [project] }))).toBe(
      'added keys given: “Chai in space”',
    );
    expect(describeAction(line({ action: 'moon.reached' }))).toBe('did this: moon reached');
  });

  it('exports as a CSV row with eight cells', () => {
    expect(cellsOf(line({ things: [project] }))).toEqual([
      '2026-11-21T10:00:00+00:00',
      'mina@example.com',
      'published “Chai in space”',
      'done',
      '',
      '192.0.2.1',
      'projects.publish',
      'x',
    ]);
  });
});

describe('audit log line', () => {
  const person = { id: 'u', kind: 'person' as const, name: 'ada@example.com', of: null };
  const role = { id: 'r', kind: 'role' as const, name: 'admin', of: null };
  const page = { id: 'g', kind: 'page' as const, name: 'about', of: null };
  it.each([
    ['its project', { things: [project] }, '/admin/projects/p'],
    [
      'its user, beside the role',
      { action: 'user_roles.insert', things: [person, role] },
      '/admin/users?search=ada%40example.com',
    ],
    ['its page', { action: 'pages.publish', things: [page] }, '/admin/pages/g'],
    [
      'the history of a setting',
      { action: 'site_settings.update', object: 'phone' },
      '/admin/settings?history=phone#history',
    ],
    ['nothing for several settings', { action: 'site_settings.update', object: 'phone email' }, undefined],
    ['nothing for several projects', { things: [project, { ...project, id: 'q' }] }, undefined],
    ['nothing for what is deleted', { action: 'user.delete' }, undefined],
  ])('links to %s', (_, change, to) => {
    expect(linkOf(line(change))?.to).toBe(to);
  });
});

describe('change of an audit log line', () => {
  it('names fields as the forms do, and links to the version', () => {
    const version = { of: 'project' as const, id: 'p', name: 'New', number: 3 };
    const [before, after] = [
      { title: 'Old', status: 'draft' },
      { title: 'New', status: 'active' },
    ];
    const { link, found } = changeOf({ ...version, before, after } as never, []);
    expect(link).toEqual({ to: '/admin/projects/p/versions/3', text: 'Version 3 of “New”' });
    expect(found.map(({ name }) => name)).toEqual(['Title', 'Status']);
    expect(found[1]).toMatchObject({ before: 'draft', after: 'active' });
  });

  it('compares a first version with nothing, and shortens long texts', () => {
    const after = { title: 'New', description: `<p>${'word '.repeat(200)}</p>`, tags: [], media: [] };
    const { found } = changeOf({ of: 'project', id: 'p', name: 'New', number: 1, before: null, after } as never, []);
    expect(found.map(({ name }) => name)).toEqual(['Title', 'The Brief']);
    expect(found[1]).toMatchObject({ pieces: [{ kind: 'new', text: expect.stringMatching(/^(word ){59}word…$/) }] });
  });

  it('puts settings, pages and small values into words', () => {
    expect(changeOf({ of: 'setting', subject: 'setting', name: 'phone', before: null, after: '1' }, [])).toMatchObject({
      link: { to: '/admin/settings?history=phone#history', text: 'History of “Phone”' },
      found: [{ name: 'Phone', before: 'the built-in value', after: '1' }],
    });
    const page = { of: 'page' as const, id: 'g', kind: 'free' as const, number: 2 };
    const state = (title: string) => ({ title, content: {} });
    expect(changeOf({ ...page, before: state('Team'), after: state('Our team') }, [])).toMatchObject({
      link: { to: '/admin/pages/g?version=2', text: 'Version 2 of “Our team”' },
      found: [{ name: 'Title', shape: 'text' }],
    });
    const columns = { handled: [false, true], events: [['project.published'], []], active: [true, false] };
    expect(changeOf({ of: 'columns', columns: columns as never }, []).found).toMatchObject([
      { name: 'State', before: 'New', after: 'Handled' },
      { name: 'Events', before: 'A project appears on the site', after: '' },
      { name: 'Active', before: 'Yes', after: 'No' },
    ]);
  });
});

describe('audit log filters', () => {
  it('survive a round trip through the address', () => {
    const address =
      '?search=chai&who=mina&what=projects.&outcome=refused&from=2026-11-01&to=2026-11-21&before=2026-11-20T10%3A00%3A00.123456%2B00%3A00%7Eaudit%7E17';
    const question = logParams.read(new URLSearchParams(address));
    expect(question).toEqual({
      search: 'chai',
      who: 'mina',
      what: 'projects.',
      outcome: 'refused',
      since: '2026-11-01',
      until: '2026-11-21',
      before: { at: '2026-11-20T10:00:00.123456+00:00', source: 'audit', id: '17' },
    });
    expect(logParams.write(question)).toBe(address);
    const identity = 'before=2026-11-20T10:00:00Z~identity~0f0f0f0f-0000-4000-8000-000000000001';
    expect(logParams.read(new URLSearchParams(identity)).before?.source).toBe('identity');
  });

  it('ignore invalid values in the address', () => {
    const invalid = "?what=';drop&outcome=perhaps&from=2026-13-45&to=tomorrow&before=x~audit~-1";
    expect(logParams.read(new URLSearchParams(invalid))).toEqual({
      search: '',
      who: '',
      what: '',
      outcome: null,
      since: '',
      until: '',
      before: null,
    });
  });
});
