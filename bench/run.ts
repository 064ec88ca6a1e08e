import { readdirSync } from 'node:fs';

/**
 * Runs `bench/NAME.bench.ts`: those named, or all but the soak, which takes ten minutes, the rolling restarts, which
 * take five, and the mutations, which take an hour. Figures are ratios to a limit measured in the same run. `mutations WORD …` and `scale WORD …` make only what a word
 * names.
 */
const LONG = ['soak', 'mutations', 'rolling'];
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''));
const given = process.argv.slice(2);
const wanted = given[0] === 'mutations' || given[0] === 'scale' ? [given[0]] : given;
const unknown = wanted.find((name) => !names.includes(name));
if (unknown) {
  console.error(`There is no bench "${unknown}". There are: ${names.join(', ')}.`);
  process.exit(1);
}
for (const name of wanted.length ? wanted : names.filter((one) => !LONG.includes(one))) {
  console.log(`\n${name}`);
  const { default: run } = (await import(`./${name}.bench.ts`)) as { default: (words: string[]) => Promise<void> };
  await run(given.slice(1));
}
process.exit();
