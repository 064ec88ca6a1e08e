import { expect, it } from 'vitest';
import { type BrandColours, brandStyle, builtInColours, COLOUR_RULES, contrast, INK, onHand } from './colours.ts';

const brokenRules = (change: Partial<BrandColours>) =>
  COLOUR_RULES.flatMap(([fits, [field]]) => (fits({ ...builtInColours, ...change }) ? [] : [field]));

it('measures contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

it.each([
  [{}, []],
  [{ hand: '#7a1f6b', machine: '#005f56', paper: '#fff6e5' }, []],
  [{ paper: '#999999' }, ['paper', 'machine', 'hand']],
  [{ machine: '#8d9cff' }, ['machine']],
  [{ hand: '#ffe000' }, ['hand']],
  [{ hand: '#d02f0c' }, ['hand']],
] as const)('refuses colours whose words cannot be read: %j', (change, fields) => {
  expect(brokenRules(change)).toEqual(fields);
});

it('derives colours that can be read in both themes from all that pass', () => {
  expect(brandStyle(builtInColours)).toBeUndefined();
  const steps = ['00', '33', '66', '99', 'cc', 'ff'];
  const colours = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)));
  let tried = 0;
  for (const paper of ['#ffffff', '#edeff0', '#fff6e5', '#dff5ff'])
    for (const hand of colours)
      for (const machine of ['#2a44f5', '#005f56', '#330066', '#000000']) {
        const brand = { hand, machine, paper };
        if (!COLOUR_RULES.every(([fits]) => fits(brand))) continue;
        tried++;
        const style = brandStyle(brand)!;
        const pair = (name: string) => /\((#\w+), (#\w+)\)/.exec(style[`--${name}`]!)!.slice(1) as [string, string];
        for (const theme of [0, 1] as const) {
          for (const [words, background] of [
            ['ink', 'paper'],
            ['ink', 'paper-2'],
            ['hand-text', 'paper-2'],
            ['machine', 'paper'],
            ['machine', 'paper-2'],
            ['on-hand', 'hand'],
            ['on-machine', 'machine'],
            ['on-overprint', 'overprint'],
          ])
            expect(
              contrast(pair(words!)[theme], pair(background!)[theme]),
              `${words} on ${background}, ${theme}: ${JSON.stringify(brand)}`,
            ).toBeGreaterThanOrEqual(4.5);
        }
      }
  expect(tried).toBeGreaterThan(100);
  expect(onHand(builtInColours)).toBe(INK);
});
