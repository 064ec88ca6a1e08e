import { describe, expect, it } from 'vitest';
import { cellsOf, changeOf, describeAction, type LogLine, linkOf, logParams, sentenceOf } from './audit-log.ts';

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
const thing = (kind: LogLine['things'][number]['kind'], name: string, id = 'x') => ({ id, kind, name, of: null });

const project = thing('project', 'Chai in space', 'p');
const media = { ...thing('media', 'Cup', 'm'), of: 'Chai in space' };
const person = thing('person', 'ada@example.com', 'u');
const role = thing('role', 'admin', 'r');

describe('audit log line', () => {
  it.each<[Partial<LogLine>, string]>([
    [{ things: [project] }, 'mina@example.com published “Chai in space”'],
    [
      { action: 'admin_role.first', actor: null, actor_kind: 'guest', things: [thing('person', 'asha@example.com')] },
      'First admin created with the setup key: asha@example.com',
    ],
    [
      { action: 'identity.login', outcome: 'refused', actor: null, actor_kind: 'guest' },
      'A visitor who wasn’t signed in tried to sign in and was refused',
    ],
    [
      { action: 'projects.delete', actor: { id: 'a', name: null } },
      'A deleted admin account deleted a project that no longer exists',
    ],
  ])('is a sentence with the user, if there is one: %j (M3)', (change, sentence) => {
    expect(sentenceOf(line(change))).toBe(sentence);
  });

  const untitled = { ...media, name: 'https://a.example/5.png' };
  it.each<[action: string, things: LogLine['things'], sentence: string, change?: Partial<LogLine>]>([
    ['project_media.delete', [media], 'deleted media: “Cup” in “Chai in space”'],
    ['project_media.delete', [untitled], 'deleted media: an untitled item in “Chai in space”'],
    ['user_roles.delete', [person, role], 'took the role “admin” from ada@example.com'],
    ['identity.factor_removed', [person], 'removed a second factor of ada@example.com'],
    ['identity.factor_removed', [], 'removed a second factor'],
    ['site_settings.update', [], 'changed settings: Phone, Site name', { object: 'phone site_name', reason: '2 rows' }],
    ['user.ban', [], 'banned an account that no longer exists'],
    ['projects.delete', [project], 'deleted “Chai in space” and 11 more', { reason: '12 rows' }],
    ['projects.delete', [], 'deleted 12 items that no longer exist', { reason: '12 rows' }],
    ['keys_given.insert', [project], 'added keys given: “Chai in space”'],
    ['moon.reached', [], 'did this: moon reached'],
  ])('describes the action %s of %j', (action, things, sentence, change) => {
    expect(describeAction(line({ action, things, ...change }))).toBe(sentence);
  });

  it('exports as a CSV row with eight cells', () => {
    expect(cellsOf(line({ things: [project] })).join('|')).toBe(
      '2026-11-21T10:00:00+00:00|mina@example.com|published “Chai in space”|done||192.0.2.1|projects.publish|x',
    );
  });

  const adaAddress = '/admin/users?search=ada%40example.com';
  const phoneChange = { action: 'site_settings.update', object: 'phone' };
  it.each<[string, Partial<LogLine>, string?]>([
    ['its project', { things: [project] }, '/admin/projects/p'],
    ['its user, beside the role', { action: 'user_roles.insert', things: [person, role] }, adaAddress],
    ['its page', { action: 'pages.publish', things: [thing('page', 'about', 'g')] }, '/admin/pages/g'],
    ['the history of a setting', phoneChange, '/admin/settings?history=phone#history'],
    ['nothing for several settings', { action: 'site_settings.update', object: 'phone email' }],
    ['nothing for several projects', { things: [project, { ...project, id: 'q' }] }],
    ['nothing for what is deleted', { action: 'user.delete' }],
  ])('links to %s', (_, change, to) => expect(linkOf(line(change))?.to).toBe(to));
});

describe('change of an audit log line', () => {
  it('names fields as the forms do, and links to the version', () => {
    const version = { of: 'project' as const, id: 'p', name: 'New', number: 3 };
    const before = { title: 'Old', status: 'draft' };
    const after = { title: 'New', status: 'active' };
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
    const words = { search: 'chai', who: 'mina', what: 'projects.', outcome: 'refused' };
    const before = { at: '2026-11-20T10:00:00.123456+00:00', source: 'audit', id: '17' };
    expect(question).toEqual({ ...words, since: '2026-11-01', until: '2026-11-21', before });
    expect(logParams.write(question)).toBe(address);
  });

  it('ignore invalid values in the address', () => {
    const invalid = "?what=';drop&outcome=perhaps&from=2026-13-45&to=tomorrow&before=x~audit~-1";
    expect(logParams.read(new URLSearchParams(invalid))).toEqual(logParams.read(new URLSearchParams()));
    expect(logParams.write(logParams.read(new URLSearchParams(invalid)))).toBe('?');
  });
});
