import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGES = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@10.1.1`);
const MODULES = join(process.cwd(), 'tests', 'node_modules', '@stryker-mutator');
/** Folders that unit tests cover without a database, browser or network. */
const PURE = [
  'app/features/*/model',
  'app/lib',
  'packages/backend/rest/parse',
  'packages/backend/rest/plan',
  'packages/backend/http',
];

interface Report {
  files: Record<string, { mutants: { status: string }[] }>;
}

/**
 * Runs StrykerJS on each folder and prints the share of mutants that a unit test detects. Installs StrykerJS if missing.
 * @param folders other folders, such as `app/features/splits/model`
 */
async function mutants(folders: string[]): Promise<void> {
  if (!existsSync(join(MODULES, 'vitest-runner')))
    run('npm', ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--prefix', 'tests', ...PACKAGES]);
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-mutants-'));
  try {
    for (const name of folders.length ? folders : PURE) {
      const report = join(folder, 'report.json');
      const config = join(folder, 'stryker.json');
      const settings = {
        testRunner: 'vitest',
        plugins: [join(MODULES, 'vitest-runner', 'dist', 'src', 'index.js')],
        vitest: { configFile: 'tests/commands/unit.config.ts', related: true },
        mutate: [`${name}/**/*.ts`, '!**/*.test.ts', '!**/words/**', '!**/words.ts'],
        tsconfigFile: 'none',
        coverageAnalysis: 'perTest',
        ignorePatterns: ['/build', '/data', '/screenshots', '/release', '/launcher/node', 'dist'],
        ignoreStatic: true,
        tempDirName: join(folder, 'copy'),
        reporters: ['json'],
        jsonReporter: { fileName: report },
        logLevel: 'error',
      };
      await writeFile(config, JSON.stringify(settings));
      run(process.execPath, [join(MODULES, 'core', 'bin', 'stryker.js'), 'run', config]);
      const { files } = JSON.parse(await readFile(report, 'utf8')) as Report;
      const states = Object.values(files).flatMap((file) => file.mutants.map(({ status }) => status));
      const count = (...wanted: string[]) => states.filter((status) => wanted.includes(status)).length;
      const detected = count('Killed', 'Timeout');
      const total = detected + count('Survived', 'NoCoverage');
      console.log(`${name}: ${total} mutants, ${detected} detected (${((detected / total) * 100).toFixed(0)} %)`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} failed with code ${status}`);
}

await mutants(process.argv.slice(2));
