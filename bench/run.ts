import { readdirSync } from 'node:fs';

/** Runs `bench/NAME.bench.ts`: all of them, or those named. Figures are ratios to a limit measured in the same run. */
const wanted = process.argv.slice(2);
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''));
const unknown = wanted.find((name) => !names.includes(name));
if (unknown) {
  console.error(`There is no bench "${unknown}". There are: ${names.join(', ')}.`);
  process.exit(1);
}
for (const name of wanted.length ? wanted : names) {
  console.log(`\n${name}`);
  const { default: run } = (await import(`./${name}.bench.ts`)) as { default: () => Promise<void> };
  await run();
}
process.exit(0);
