import { describe, expect, it } from 'vitest';
import { cellsOf, describeAction, type LogLine, logParams, sentenceOf } from './audit-log.ts';

const line = (change: Partial<LogLine>): LogLine => ({
  id: 'audit:1',
  at: '2026-11-21T10:00:00+00:00',
  action: 'projects.publish',
  outcome: 'done',
  reason: null,
  address: '192.0.2.1',
  object: 'x',
  things: [],
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
