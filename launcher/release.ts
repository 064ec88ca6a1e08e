import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** `npm run release` writes `release/madhouse-VERSION-PLATFORM.tar.gz`; `-- --folder PATH`: a folder instead. */
const PARTS = [
  ...['LICENSE', 'README.md', 'CHANGELOG.md', '.env.example', 'launch.mjs', 'server.ts', 'rich-text.ts'],
  ...['media-address.ts', 'launcher', 'packages', 'server', 'supabase', 'build', 'docs', 'deploy/madhouse.service'],
  ...['deploy/haproxy.cfg', 'deploy/Caddyfile'],
];
const EXCLUDED =
  /\.test\.tsx?$|(^|\/)(node_modules|dist|tests|\.DS_Store|screenshot\.png|release\.ts)(\/|$)|^launcher\/node\//;
const LICENCES = 'THIRD-PARTY-LICENSES.txt';
const INSTALLED = 'node_modules/.package-lock.json';

interface Package {
  version: string;
  license?: string;
  dev?: true;
  devOptional?: true;
}

interface Manifest {
  name: string;
  version: string;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies?: unknown;
}

const { values } = parseArgs({ options: { folder: { type: 'string' } } });
const manifest = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;
const installed = JSON.parse(await readFile(INSTALLED, 'utf8')) as { packages: Record<string, Package> };
const runtime = Object.fromEntries(
  Object.entries(installed.packages).filter(([, { dev, devOptional }]) => !dev && !devOptional),
);
const bundled = JSON.parse(await readFile('build/packages.json', 'utf8')) as string[];

if (values.folder) {
  await fill(resolve(values.folder));
  console.log(`Wrote the release to ${resolve(values.folder)}`);
} else {
  const isMusl = process.platform === 'linux' && !('glibcVersionRuntime' in reportHeader());
  const name = `${manifest.name}-${manifest.version}-${process.platform}${isMusl ? '-musl' : ''}-${process.arch}`;
  await mkdir('release', { recursive: true });
  const staging = await mkdtemp(join('release', 'staging-'));
  try {
    await fill(join(staging, name));
    const archive = join(staging, `${name}.tar.gz`);
    const { status, stderr, error } = spawnSync('tar', ['-czf', archive, '-C', staging, name], { encoding: 'utf8' });
    if (status !== 0) throw error ?? new Error(`tar could not write the archive: ${stderr.trim()}`);
    await rename(archive, join('release', basename(archive)));
    const { size } = await stat(join('release', basename(archive)));
    console.log(`Wrote ${join('release', basename(archive))} (${(size / 1e6).toFixed(0)} MB)`);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function fill(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length) throw new Error(`${folder} is not empty.`);
  const filter = (file: string) => !EXCLUDED.test(file);
  for (const part of PARTS) await cp(part, join(folder, part), { recursive: true, filter });
  for (const path of Object.keys(runtime))
    if (path.lastIndexOf('node_modules/') === 0) await cp(path, join(folder, path), { recursive: true });
  await writeFile(join(folder, INSTALLED), JSON.stringify({ ...installed, packages: runtime }));
  const { devDependencies: _, scripts, ...rest } = manifest;
  const commands = Object.fromEntries(
    Object.entries(scripts).filter(([script]) => ['start', 'migrate', 'keys', 'archive'].includes(script)),
  );
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...rest, scripts: commands }, null, 2)}\n`);
  await writeFile(join(folder, LICENCES), await licences());
}

/** Name, version and licence of each package in the release or its built site, then the texts. */
async function licences(): Promise<string> {
  const packages = [...new Set([...Object.keys(runtime), ...bundled])]
    .map((path) => ({ path, name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.path.localeCompare(b.path, 'en'));
  const entries = await Promise.all(
    packages.map(async ({ path, name }) => {
      const { version, license } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as Package;
      return { title: `${name} ${version}: ${license ?? 'see the licence text'}`, text: await licenceOf(path) };
    }),
  );
  const list = entries.map(({ title }) => title).join('\n');
  const texts = entries.map(({ title, text }) => `${'-'.repeat(80)}\n${title}\n\n${text}\n`).join('\n');
  return `Madhouse contains these packages. Their licences follow the list.\n\n${list}\n\n${texts}`;
}

async function licenceOf(path: string): Promise<string> {
  const files = (await readdir(path)).filter((file) => /^(licen[cs]e|copying|notice|third.?party)/i.test(file)).sort();
  if (!files.length && path.includes('sharp-libvips')) files.push('README.md', 'versions.json');
  const texts = await Promise.all(
    files.map(async (file) => ((await stat(join(path, file))).isFile() ? readFile(join(path, file), 'utf8') : '')),
  );
  return texts.filter(Boolean).join('\n\n').trim() || 'The package has no licence text.';
}

function reportHeader(): object {
  return (process.report.getReport() as { header: object }).header;
}
