import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Compiles the package to `dist`: JavaScript, types and the SQL of the platform. Node runs no TypeScript below node_modules. */
const dist = join(import.meta.dirname, 'dist');
const compiler = join(import.meta.dirname, '..', '..', 'tests', 'node_modules', 'typescript', 'bin', 'tsc');

await rm(dist, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [compiler, '-p', import.meta.dirname], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
for (const name of ['package.json', join('database', 'platform')])
  await cp(join(import.meta.dirname, name), join(dist, name), { recursive: true });
for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (!/\.(js|d\.ts)$/.test(entry.name)) continue;
  const text = await readFile(path, 'utf8');
  // The compiler rewrites imports, but neither paths of workers and commands nor the imports of type files.
  const rewritten = text.replace(/(['"])((?:\.{1,2}\/)*[\w./-]+)\.ts\1/g, (whole, quote: string, name: string) =>
    existsSync(join(dirname(path), `${name}.js`)) ? `${quote}${name}.js${quote}` : whole,
  );
  if (rewritten !== text) await writeFile(path, rewritten);
}
await chmod(join(dist, 'command.js'), 0o755);
