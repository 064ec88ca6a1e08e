import { describe, expect, it } from 'vitest';
import { screensFor } from '../../../lib/words/admin.ts';
import routes, { guardOf } from '../../../routes.ts';
import { commandsFor, movedSelection } from './command.ts';

const commands = [
  { label: 'Case Studies', href: '/admin/case-studies', also: 'manage mad experiments' },
  { label: 'Settings', href: '/admin/settings' },
  { label: 'New Project', href: '/admin/projects/new', also: 'create add' },
  { label: 'Projects', href: '/admin/projects' },
];
const found = (typed: string) => commandsFor(commands, typed).map(({ label }) => label);

describe('command menu search', () => {
  it('lists all commands in order for an empty search', () => {
    expect(found(' ')).toEqual(['Case Studies', 'Settings', 'New Project', 'Projects']);
  });

  it('requires every typed word in the label, in any letter case', () => {
    expect(found('EXPERIMENTS mad')).toEqual(['Case Studies']);
    expect(found('add proj')).toEqual(['New Project']);
    expect(found('settings project')).toEqual([]);
  });

  it('ranks labels that start with the search first', () => expect(found('proj')).toEqual(['Projects', 'New Project']));
});

describe('screens of a role', () => {
  it('are all for an admin, and for an editor those outside the routes for admins', () => {
    const forAdmins = [...guardOf].filter(([, guard]) => guard === 'adminOnly');
    const closed = forAdmins.flatMap(([{ children = [] }]) => children.map(({ path }) => `/admin/${path}`));
    expect(routes.length).toBeGreaterThan(0);
    expect(closed).toEqual(['/admin/projects/:id/split', '/admin/users', '/admin/settings', '/admin/log']);
    const addresses = screensFor('admin').map(({ href }) => href);
    expect(addresses).toEqual(expect.arrayContaining(closed.slice(1)));
    expect(screensFor('editor').map(({ href }) => href)).toEqual(addresses.filter((href) => !closed.includes(href)));
  });
});

describe('command menu keys', () => {
  it.each([
    ['ArrowDown', -1, 3, 0],
    ['ArrowDown', 2, 3, 0],
    ['ArrowUp', 0, 3, 2],
    ['ArrowUp', -1, 3, 2],
    ['Home', 2, 3, 0],
    ['End', 0, 3, 2],
    ['ArrowDown', -1, 0, null],
    ['a', 0, 3, null],
  ])('move with %s from %i of %i to %s', (key, from, count, to) => expect(movedSelection(key, from, count)).toBe(to));
});
