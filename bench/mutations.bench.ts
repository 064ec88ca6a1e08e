import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFiles } from '../tests/project-files.ts';

/** A fault inserted into the product, and the test that must fail. */
interface Mutation {
  /** The broken requirement: acceptance ids, limits, or promises of the threat model. */
  breaks: string;
  file: string;
  /** Text that occurs once in `file`. */
  from: string;
  to: string;
  test: string;
  /** Part of the full title of the test that must fail. */
  title: string;
}

/**
 * Reads `mutations/NAME.txt`. A line `# TEST: TITLE` is followed by the faults that this test must notice: what breaks and in
 * which file, the text to find after `-`, and the text instead after `+`; without one the lines are deleted.
 */
export function readMutations(): (Mutation & { list: string })[] {
  const folder = join(import.meta.dirname, 'mutations');
  const textOf = (lines: string) => lines.replaceAll(/^[-+]/gm, '');
  return readdirSync(folder).flatMap((list) => {
    const groups = readFileSync(join(folder, list), 'utf8').matchAll(/^# (\S+): (.*)\n((?:(?!# ).*\n)*)/gm);
    return [...groups].flatMap(([, test, title, faults]) =>
      [...faults!.matchAll(/^(.+) @ (\S+)\n((?:-.*\n)+)((?:\+.*\n)*)/gm)].map(([, breaks, file, lines, instead]) => {
        const from = instead ? textOf(lines!).slice(0, -1) : textOf(lines!);
        const to = textOf(instead!).slice(0, -1);
        return { list, breaks: breaks!, file: file!, from, to, test: test!, title: title! };
      }),
    );
  });
}

interface Verdict {
  /** `survived`: the tests are incomplete. Others, except `noticed`: the entry is outdated. */
  outcome:
    | 'noticed'
    | 'survived'
    | 'does not apply'
    | 'does not build'
    | 'breaks more than the test'
    | 'has no such test';
  /** How the test failed, in one line. */
  message?: string;
}

interface Report {
  testResults: { message: string; assertionResults: { status: string; failureMessages: string[] }[] }[];
}

const root = process.cwd();
const LIMIT_MS = 10 * 60_000;
/** Whether the file is part of the site, which must be rebuilt. */
const isServed = (file: string) => !/^(packages|server|supabase)\/|^server\.ts$/.test(file);
const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Applies each mutation to a copy of the project and runs the test that must fail. Prints a line for each, then those
 * that were not detected, and exits with code 1 if there are any.
 * @param filters only mutations whose list, `breaks` or `file` contain one of them; `2/5` is the second fifth of all
 */
export default async function run(filters: string[]): Promise<void> {
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(filters[0] ?? '')?.map(Number) ?? [];
  const queue = readMutations().filter(({ list, breaks, file }, at) =>
    parts
      ? at % parts === part! - 1
      : !filters.length || filters.some((word) => `${list} ${breaks} ${file}`.includes(word)),
  );
  const total = queue.length;
  const failed: string[] = [];
  const worker = async () => {
    const copy = copyTree();
    for (let next = queue.shift(); next; next = queue.shift()) {
      const startedAt = performance.now();
      const { outcome, message } = await applyMutation(next, copy);
      const line = `${next.breaks}: ${next.file}: ${next.from.trim().split('\n')[0]!.slice(0, 60)}`;
      if (outcome !== 'noticed') failed.push(`${outcome}: ${line}`);
      console.log(`${outcome.padEnd(9)} ${((performance.now() - startedAt) / 1000).toFixed(0).padStart(3)} s  ${line}`);
      if (message) console.log(`                 ${message.slice(0, 150)}`);
    }
    rmSync(copy, { recursive: true, force: true });
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), total) }, worker));
  console.log(`\n${total} mutations, ${total - failed.length} detected`);
  for (const line of failed) console.log(line);
  if (failed.length) process.exitCode = 1;
}

/** Copies the project's files. @returns the path of the copy */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'madhouse-mutation-'));
  for (const file of projectFiles()) cpSync(join(root, file), join(copy, file));
  // Shares the packages but not the cache, whose content depends on the mutated code.
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  symlinkSync(join(root, 'tests', 'node_modules'), join(copy, 'tests', 'node_modules'));
  cpSync(join(root, 'build'), join(copy, 'build'), { recursive: true });
  const cachePath = join('node_modules', '.cache', 'madhouse');
  mkdirSync(join(copy, cachePath), { recursive: true });
  // Keeps owner and mode, which PostgreSQL checks.
  if (existsSync(join(root, cachePath))) execFileSync('cp', ['-a', join(root, cachePath, '.'), join(copy, cachePath)]);
  return copy;
}

async function applyMutation({ file, from, to, test, title }: Mutation, copy: string): Promise<Verdict> {
  const before = readFileSync(join(copy, file), 'utf8');
  if (before.split(from).length !== 2 || from === to) return { outcome: 'does not apply' };
  const mutated = before.replace(from, () => to);
  writeFileSync(join(copy, file), mutated);
  try {
    if (isServed(file)) {
      const built = await node(copy, ['node_modules/@react-router/dev/bin.cjs', 'build']);
      if (built.failed) return { outcome: 'does not build', message: built.output.trim().split('\n').at(-1)! };
    }
    const report = join(copy, 'report.json');
    rmSync(report, { force: true });
    const args = ['run', test, '--testNamePattern', escapeRegExp(title), '--reporter=json', `--outputFile=${report}`];
    return readVerdict(report, (await node(copy, ['node_modules/vitest/vitest.mjs', ...args])).output);
  } finally {
    writeFileSync(join(copy, file), before);
    if (isServed(file)) {
      rmSync(join(copy, 'build'), { recursive: true });
      cpSync(join(root, 'build'), join(copy, 'build'), { recursive: true });
    }
  }
}

function readVerdict(file: string, output: string): Verdict {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return { outcome: 'breaks more than the test', message: output.trim().split('\n').at(-1)! };
  }
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const [failure] = tests.filter(({ status }) => status === 'failed');
  if (failure) return { outcome: 'noticed', message: failure.failureMessages[0]?.split('\n')[0] ?? '' };
  const message = report.testResults.find((one) => one.message)?.message.split('\n')[0];
  if (message) return { outcome: 'breaks more than the test', message };
  return { outcome: tests.some(({ status }) => status === 'passed') ? 'survived' : 'has no such test' };
}

const node = (cwd: string, args: string[]): Promise<{ failed: boolean; output: string }> =>
  new Promise((response) => {
    execFile(
      process.execPath,
      args,
      { cwd, timeout: LIMIT_MS, maxBuffer: 2 ** 28, env: { ...process.env, NODE_ENV: 'production' } },
      (error, stdout, stderr) => response({ failed: error !== null, output: stdout + stderr }),
    );
  });
