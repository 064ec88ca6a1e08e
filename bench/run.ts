import { readdirSync } from 'node:fs';

/**
 * Runs the named `bench/NAME.bench.ts`, or all that take neither long nor the network.
 * Figures are ratios to a limit measured in the same run. A bench in `TAKE_WORDS` gets all further arguments.
 */
const SLOW = ['install', 'kills', 'soak', 'mutations', 'million', 'uploads'];
const TAKE_ARGS = ['kills', 'mutations', 'scale', 'million', 'uploads'];
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''));
const args = process.argv.slice(2);
const selected = args[0] && TAKE_ARGS.includes(args[0]) ? [args[0]] : args;
const unknown = selected.find((name) => !names.includes(name));
if (unknown) {
  console.error(`Unknown bench "${unknown}". Benches: ${names.join(', ')}.`);
  process.exit(1);
}
for (const name of selected.length ? selected : names.filter((one) => !SLOW.includes(one))) {
  console.log(`\n${name}`);
  const { default: run } = (await import(`./${name}.bench.ts`)) as { default: (words: string[]) => Promise<void> };
  await run(args.slice(1));
}
process.exit();
