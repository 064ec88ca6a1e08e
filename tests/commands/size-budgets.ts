import { readFileSync } from 'node:fs';
import { projectFiles } from '../project-files.ts';

const files = projectFiles();
const isTest = (file: string) => /\.test\.tsx?$|(^|\/)tests\/|^bench\//.test(file);
const RETIRED = /\b(houses?|whoever|somebody|nobody|told|tells|asked|asks|stands|heard|anew|strangers?|chairs?)\b/gi;

const textsOf = (pattern: RegExp, tests = false) =>
  files.filter((file) => pattern.test(file) && isTest(file) === tests).map((file) => readFileSync(file, 'utf8'));
const matches = (texts: readonly string[], pattern: RegExp) =>
  texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
const lines = (pattern: RegExp, tests = false) => matches(textsOf(pattern, tests), /\n/g);

/** What is counted, how much of it there is, and the most there may be. Limits only fall: lower one when its count has fallen. */
const BUDGETS: readonly [name: string, count: number, limit: number][] = [
  ['lines of app', lines(/^app\/.*\.(tsx?|css)$/), 45_783],
  ['CSS declarations', matches(textsOf(/\.css$/), /^\s+[a-z-]+:/gm), 2_921],
  [
    'style files of features with grid, flex or gap',
    textsOf(/^app\/features\/.*\.css$/).filter((text) => /display: (grid|flex)|^\s+gap:/m.test(text)).length,
    14,
  ],
  ['lines of backend', lines(/^packages\/backend\/.*\.ts$/), 24_821],
  ['lines of server', lines(/^server\/.*\.tsx?$/), 2_363],
  ['lines of supabase', lines(/^supabase\/.*\.(sql|ts|html|txt)$/), 8_242],
  ['lines of tests and benches', lines(/\.(tsx?|mjs|json|txt)$/, true), 66_130],
  ['comment lines', matches(textsOf(/\.tsx?$/), /^\s*(\/\/|\/\*|\*)/gm), 2_507],
  [
    'querySelector and getElementById in app',
    matches(textsOf(/^app\/.*\.tsx?$/), /^.*(querySelector|getElementById).*$/gm),
    19,
  ],
  ['retired words in app', matches(textsOf(/^app\/.*\.(tsx?|css)$/), RETIRED), 26],
  ['retired words in tests and benches', matches(textsOf(/\.tsx?$/, true), RETIRED), 120],
];

const over = BUDGETS.filter(([, count, limit]) => count > limit);
for (const [name, count, limit] of over) console.error(`${count} ${name}, the limit is ${limit}: remove some.`);
process.exit(over.length ? 1 : 0);
