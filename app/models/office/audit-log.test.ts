import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { logPhrases } from '../../copy/admin/log.ts';
import { cellsOf, deedOf, type LogLine, logAddressOf, logQuestionFrom, sentenceOf } from './audit-log.ts';

const line = (change: Partial<LogLine>): LogLine => ({
  id: 'house:1',
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

describe('a line of the log', () => {
  it('is a plain sentence with the names of what it is about', () => {
    expect(sentenceOf(line({ things: [project] }))).toBe('mina@example.com published “Chai in space”');
    const media = { id: 'm', kind: 'media' as const, name: 'Cup', of: 'Chai in space' };
    expect(deedOf(line({ action: 'project_media.delete', things: [media] }))).toBe(
      'deleted media: “Cup” in “Chai in space”',
    );
    expect(
      deedOf(line({ action: 'project_media.delete', things: [{ ...media, name: 'https://a.example/5.png' }] })),
    ).toBe('deleted media: an item without a title in “Chai in space”');
    const person = { id: 'u', kind: 'person' as const, name: 'ada@example.com', of: null };
    expect(deedOf(line({ action: 'user_roles.delete', things: [person] }))).toBe('took a role from ada@example.com');
    expect(deedOf(line({ action: 'site_settings.update', object: 'phone site_name', reason: '2 rows' }))).toBe(
      'changed settings: Phone, Site name',
    );
  });

  it('says what was refused, and who nobody knows any more', () => {
    const refused = line({ action: 'identity.login', outcome: 'refused', actor: null, actor_kind: 'guest' });
    expect(sentenceOf(refused)).toBe('Somebody who was not signed in tried to sign in and was refused');
    expect(sentenceOf(line({ action: 'projects.delete', actor: { id: 'a', name: null } }))).toBe(
      'An admin whose account is gone deleted something that is gone',
    );
  });

  it('counts what it does not name', () => {
    const many = line({ action: 'projects.delete', things: [project], reason: '12 rows' });
    expect(deedOf(many)).toBe('deleted “Chai in space” and 11 more');
    expect(deedOf({ ...many, things: [] })).toBe('deleted 12 items that are gone');
  });

  it('has words for everything that the database writes down', () => {
    const sql = globSync(join(import.meta.dirname, '../../../supabase/migrations/*.sql'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const found = (pattern: RegExp) => [...sql.matchAll(pattern)].map(([, name]) => name!);
    const written = [
      ...found(/private\.record\('([\w.]+\w)'/g),
      ...found(/private\.watch\('public\.(\w+)'/g).flatMap((table) =>
        ['insert', 'update', 'delete'].map((verb) => `${table}.${verb}`),
      ),
      ...['publish', 'ask', 'decline', 'reopen'].map((answer) => `reviews.${answer}`),
    ];
    expect(written.length).toBeGreaterThan(40);
    expect([...new Set(written)].filter((action) => !Object.hasOwn(logPhrases, action))).toEqual([]);
  });

  it('D10: has words for everything that the services write down', () => {
    const source = (file: string) => readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');
    const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!);
    const [, identity = ''] = /const ACTIONS = \[(.*?)\] as const/s.exec(source('backend/auth/audit.ts')) ?? [];
    const written = [
      ...names(identity, /'(\w+)'/g).map((action) => `identity.${action}`),
      ...globSync(join(import.meta.dirname, '../../../supabase/functions/*/*.ts')).flatMap((file) =>
        names(readFileSync(file, 'utf8'), /action: '([\w]+\.[\w]+)'/g),
      ),
      ...names(source('supabase/functions/manage-users/actions.ts'), /^ {2}(\w+): (?:\{ needsUser|onUser)/gm).map(
        (name) => `user.${name}`,
      ),
      ...names(source('backend/rest/refused-writes.ts'), /action: '(\w+\.\w+)'/g),
    ];
    expect(written.length).toBeGreaterThan(55);
    expect([...new Set(written)].filter((action) => !Object.hasOwn(logPhrases, action))).toEqual([]);
  });

  it('has words for what is new', () => {
    expect(deedOf(line({ action: 'keys_given.insert', things: [project] }))).toBe('added keys given: “Chai in space”');
    expect(deedOf(line({ action: 'moon.reached' }))).toBe('did this: moon reached');
  });

  it('is a row of eight cells', () => {
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

describe('the question to the log', () => {
  it('comes from the address and goes back to it', () => {
    const address =
      '?search=chai&who=mina&what=projects.&outcome=refused&from=2026-11-01&to=2026-11-21&before=2026-11-20T10%3A00%3A00.123456%2B00%3A00%7Ehouse%7E17';
    const question = logQuestionFrom(new URLSearchParams(address));
    expect(question).toEqual({
      search: 'chai',
      who: 'mina',
      what: 'projects.',
      outcome: 'refused',
      since: '2026-11-01',
      until: '2026-11-21',
      before: { at: '2026-11-20T10:00:00.123456+00:00', source: 'house', id: '17' },
    });
    expect(logAddressOf(question)).toBe(address);
    const identity = 'before=2026-11-20T10:00:00Z~identity~0f0f0f0f-0000-4000-8000-000000000001';
    expect(logQuestionFrom(new URLSearchParams(identity)).before?.source).toBe('identity');
  });

  it('takes nothing that makes no sense', () => {
    const nonsense = "?what=';drop&outcome=perhaps&from=2026-13-45&to=tomorrow&before=x~house~-1";
    expect(logQuestionFrom(new URLSearchParams(nonsense))).toEqual({
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
