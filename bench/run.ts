import { readdirSync } from 'node:fs';

/**
 * Runs `bench/NAME.bench.ts`: those named, or all but the soak, which takes ten minutes. Figures are ratios to a limit
 * measured in the same run.
 */
const wanted = process.argv.slice(2);
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''));
const unknown = wanted.find((name) => !names.includes(name));
if (unknown) {
  console.error(`There is no bench "${unknown}". There are: ${names.join(', ')}.`);
  process.exit(1);
}
for (const name of wanted.length ? wanted : names.filter((name) => name !== 'soak')) {
  console.log(`\n${name}`);
  const { default: run } = (await import(`./${name}.bench.ts`)) as { default: () => Promise<void> };
  await run();
}
process.exit(0);
