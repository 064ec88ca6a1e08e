import { describe, expect, it } from 'vitest';
import { commandsFor, moved } from './command.ts';

const commands = [
  { label: 'Case Studies', href: '/admin/case-studies', also: 'manage mad experiments' },
  { label: 'Settings', href: '/admin/settings' },
  { label: 'New Project', href: '/admin/projects/new', also: 'create add' },
  { label: 'Projects', href: '/admin/projects' },
];
const found = (typed: string) => commandsFor(commands, typed).map(({ label }) => label);

describe('what the command menu finds', () => {
  it('is everything, in order, before anything is typed', () => {
    expect(found(' ')).toEqual(['Case Studies', 'Settings', 'New Project', 'Projects']);
  });

  it('has every typed word somewhere, in either case', () => {
    expect(found('EXPERIMENTS mad')).toEqual(['Case Studies']);
    expect(found('add proj')).toEqual(['New Project']);
    expect(found('settings project')).toEqual([]);
  });

  it('puts first what begins with the typed words', () => {
    expect(found('proj')).toEqual(['Projects', 'New Project']);
  });
});

describe('the keys of the command menu', () => {
  it('go around at both ends', () => {
    expect(moved('ArrowDown', -1, 3)).toBe(0);
    expect(moved('ArrowDown', 2, 3)).toBe(0);
    expect(moved('ArrowUp', 0, 3)).toBe(2);
    expect(moved('ArrowUp', -1, 3)).toBe(2);
    expect(moved('Home', 2, 3)).toBe(0);
    expect(moved('End', 0, 3)).toBe(2);
  });

  it('lead nowhere in an empty list, nor when they are letters', () => {
    expect(moved('ArrowDown', -1, 0)).toBeNull();
    expect(moved('a', 0, 3)).toBeNull();
  });
});
