import { describe, expect, it } from 'vitest';
import { commandsFor, movedSelection } from './command.ts';

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
    expect(movedSelection('ArrowDown', -1, 3)).toBe(0);
    expect(movedSelection('ArrowDown', 2, 3)).toBe(0);
    expect(movedSelection('ArrowUp', 0, 3)).toBe(2);
    expect(movedSelection('ArrowUp', -1, 3)).toBe(2);
    expect(movedSelection('Home', 2, 3)).toBe(0);
    expect(movedSelection('End', 0, 3)).toBe(2);
  });

  it('lead nowhere in an empty list, nor when they are letters', () => {
    expect(movedSelection('ArrowDown', -1, 0)).toBeNull();
    expect(movedSelection('a', 0, 3)).toBeNull();
  });
});
