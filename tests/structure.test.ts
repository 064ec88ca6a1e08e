import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { readMutations } from '../bench/mutations.bench.ts';
import { settingNames } from '../packages/backend/config/config.ts';
import { describeSchema } from './commands/schema.ts';
import { projectFiles } from './project-files.ts';

const files = projectFiles();
const sources = files.filter(
  (file) => /\.(ts|tsx)$/.test(file) && !/\.(test|d)\.tsx?$|^packages\/.*\/tests\//.test(file),
);
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+['"]([.#][^'"]+)['"]|import\(\s*['"]([.#][^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([.#][^'"]+)['"]/g;

const read = (file: string) => readFileSync(file, 'utf8');

/** Matches imported package names, without the path inside the package. */
const PACKAGE =
  /^(?:import|export)\s(?:[^'"]*?\sfrom\s+)?'((?:@[\w-]+\/)?\w[\w.-]*)[/']|import\(\s*'((?:@[\w-]+\/)?\w[\w.-]*)[/']/gm;

const withoutTypes = (file: string) => read(file).replaceAll(/^import type [^;]*;/gm, '');

/** Project files that `file` imports, as paths from the root. */
function importsOf(file: string, text = read(file)): string[] {
  return [...text.matchAll(IMPORT)]
    .map((match) => match[1] ?? match[2] ?? match[3]!)
    .map((path) => (path.startsWith('#') ? `app/${path.slice(1)}` : normalize(join(dirname(file), path))))
    .filter((path) => !path.includes('+types'));
}

const imports = sources.flatMap((from) => importsOf(from).map((to) => ({ from, to })));
const folderOf = (path: string) =>
  path
    .split('/')
    .slice(0, path.startsWith('packages/') ? 3 : 2)
    .join('/');
const broken = (forbidden: (from: string, to: string) => boolean) =>
  imports.filter(({ from, to }) => forbidden(from, to)).map(({ from, to }) => `${from} → ${to}`);

const manifests = ['package.json', 'tests/package.json', 'launcher/node/package.json'].map((file) => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(file)) as Record<
    'dependencies' | 'devDependencies' | 'optionalDependencies',
    Record<string, string> | undefined
  >;
  return { dependencies, devDependencies, optionalDependencies };
});
const dependencies = manifests[0]!.dependencies!;

/** Feature name: `projects` for `app/features/projects/list.tsx`. */
const featureOf = (path: string) => /^app\/features\/([^/]+)\//.exec(path)?.[1] ?? null;

const isModel = (path: string) => /^app\/features\/[^/]+\/(model\/|words)/.test(path);

const SHARED = ['credits', 'media', 'projects', 'seo', 'settings'];

/** Further models that a feature may import. */
const MODELS: Record<string, readonly string[]> = {
  account: ['splits'],
  audit: ['messages', 'page-editor', 'pages'],
  dashboard: ['portfolio', 'reviews', 'setup'],
  drafts: ['reviews', 'submissions'],
  fields: ['library'],
  media: ['submissions'],
  'page-editor': ['fields', 'pages'],
  pages: ['masterclass', 'messages', 'portfolio', 'splits'],
  portfolio: ['drafts', 'pages'],
  projects: ['reviews', 'setup'],
  reviews: ['drafts', 'submissions'],
  seo: ['masterclass', 'messages', 'pages'],
  settings: ['account', 'masterclass', 'pages', 'reviews'],
  setup: ['account'],
  shell: ['account'],
  submissions: ['drafts', 'reviews'],
  users: ['setup'],
};

/** Components and queries of other features that a feature may import, besides those of credits and media. */
const PARTS: Record<string, readonly string[]> = {
  account: ['splits'],
  audit: ['projects'],
  dashboard: ['messages', 'projects', 'reviews', 'settings', 'setup'],
  drafts: ['portfolio', 'projects', 'submissions', 'trash'],
  fields: ['library', 'settings'],
  'page-editor': ['fields', 'masterclass', 'messages', 'pages', 'portfolio', 'projects'],
  pages: ['masterclass', 'messages', 'portfolio'],
  portfolio: ['drafts', 'pages'],
  library: ['projects'],
  messages: ['projects'],
  projects: ['dashboard', 'drafts', 'library', 'portfolio', 'reviews', 'setup', 'trash'],
  reviews: ['drafts', 'portfolio', 'projects'],
  settings: ['account', 'fields', 'projects', 'reviews'],
  setup: ['account', 'projects'],
  shell: ['account', 'messages', 'reviews'],
  splits: ['account', 'projects'],
  submissions: ['account', 'reviews'],
  trash: ['projects'],
  users: ['setup'],
};

const between = imports
  .map(({ from, to }) => ({ from, to, feature: featureOf(from)!, other: featureOf(to)! }))
  .filter(({ feature, other }) => feature && other && feature !== other);

it('import rules keep site and backend independent, except through fetch', () => {
  expect(broken((from, to) => from.startsWith('app/') && to.startsWith('packages/'))).toEqual([]);
  expect(broken((from, to) => from.startsWith('packages/') && !to.startsWith('packages/'))).toEqual([]);
});

it('import rules let supabase/ import no project files', () => {
  expect(broken((from, to) => from.startsWith('supabase/') && !to.startsWith('supabase/'))).toEqual([]);
});

it('import rules let no service import another service', () => {
  const services = ['auth', 'rest', 'storage', 'functions'].map((name) => `packages/backend/${name}`);
  const isService = (path: string) => services.includes(folderOf(path));
  const imported = broken((from, to) => isService(from) && isService(to) && folderOf(from) !== folderOf(to));
  expect(imported).toEqual([]);
});

it('import rules let the folders of the backend import each other in one direction', () => {
  const isFolder = (path: string) => path.startsWith('packages/backend/') && path.split('/').length > 3;
  let between = imports
    .filter(({ from, to }) => isFolder(from) && isFolder(to))
    .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }))
    .filter(({ from, to }) => from !== to);
  for (let count = Number.POSITIVE_INFINITY; between.length < count; ) {
    count = between.length;
    between = between.filter(
      (one) => between.some(({ from }) => from === one.to) && between.some(({ to }) => to === one.from),
    );
  }
  expect([...new Set(between.map(({ from, to }) => `${from} → ${to}`))]).toEqual([]);
});

it.each(['', 'auth/', 'storage/'])(
  'import rules let no import of packages/backend/%scontext.ts import it',
  (folder) => {
    const context = `packages/backend/${folder}context.ts`;
    const reached = new Set([context]);
    for (const file of reached) for (const { from, to } of imports) if (from === file) reached.add(to);
    expect(broken((from, to) => to === context && reached.has(from))).toEqual([]);
  },
);

it('import rules let features import the listed models and parts of other features', () => {
  const isAllowed = ({ to, feature, other }: (typeof between)[number]) =>
    isModel(to)
      ? SHARED.includes(other) || MODELS[feature]?.includes(other)
      : ['credits', 'media'].includes(other) || PARTS[feature]?.includes(other);
  expect(between.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

it('import rules list no unused pair of features', () => {
  const unused = (pairs: Record<string, readonly string[]>, ofModels: boolean) =>
    Object.entries(pairs).flatMap(([feature, others]) =>
      others
        .filter(
          (other) =>
            !between.some((one) => one.feature === feature && one.other === other && isModel(one.to) === ofModels),
        )
        .map((other) => `${feature} → ${other}`),
    );
  expect([...unused(MODELS, true), ...unused(PARTS, false)]).toEqual([]);
});

it('import rules keep models below screens, and ui and lib below features', () => {
  const below: readonly (readonly [from: RegExp, to: RegExp])[] = [
    [/^app\/features\/[^/]+\/(model\/|words)/, /^app\/(features\/[^/]+\/(model\/|words)|lib\/)/],
    [/^app\/ui\//, /^app\/(ui|lib)\//],
    [/^app\/lib\//, /^app\/lib\//],
    [/^app\/session\//, /^app\/(session|lib|features\/account\/model)\//],
    [/^app\/context\//, /^app\/(context|session|lib|features\/[^/]+\/model)\//],
  ];
  const isUpward = (from: string, to: string) =>
    below.some(([above, allowed]) => above.test(from) && !allowed.test(to));
  expect(broken((from, to) => to.startsWith('app/') && isUpward(from, to))).toEqual([]);
});

it('import rules let no other folder import the HTTP server', () => {
  const isOther = (path: string) => /^(app|packages|supabase)\//.test(path);
  expect(broken((from, to) => isOther(from) && /^(server\.ts|server\/)/.test(to))).toEqual([]);
});

/** Matches a quoted path of the site in a link or request: `to="/about"`, `href: '/about'`, `navigate('/about'`. */
const WRITTEN_OUT =
  /\b(?:(?:to|href|see|backTo|path|action)(?:=\{?|: | = )|(?:navigate|redirect|fetch|location\.(?:assign|replace))\()['"`](\/[^'"`]*)['"`](?! satisfies Pa)/g;
/** Files whose paths are checked against the routes by their type. */
const TYPED_TABLE = /= \[\n(?: .*\n)*\] as const satisfies .*\bPagePath\b.*/g;

it('the URLs of the site come from the route table', () => {
  // HTML of legal texts, which admins can change.
  const texts = ['app/features/pages/words/legal.ts'];
  const isDrawing = (address: string) => existsSync(`app/features/seo/drawings/${basename(address)}`);
  expect(
    sources
      .filter((file) => file.startsWith('app/') && !texts.includes(file))
      .flatMap((file) =>
        [...read(file).replaceAll(TYPED_TABLE, '').matchAll(WRITTEN_OUT)]
          .filter(([, address]) => !isDrawing(address!))
          .map(([found]) => `${file}: ${found}`),
      ),
  ).toEqual([]);
});

it('the URLs of the site declare that they read the draft cookie if their loader does (TM-41)', () => {
  const features = sources.filter((file) => file.startsWith('app/features/'));
  const loads = features.filter((file) => /export async function loader/.test(read(file)));
  const reads = loads.filter((file) => read(file).includes('draftSecret('));
  const declares = sources.filter((file) => read(file).includes('readsDraftCookie: true'));
  expect(reads.sort()).toEqual(['app/features/drafts/draft.tsx', 'app/features/portfolio/detail/detail.tsx']);
  expect(declares.sort()).toEqual(reads);
});

it('the URLs of the site load no router on static pages', () => {
  const reached = new Set(['app/static-page.ts']);
  for (const file of reached)
    for (const path of importsOf(file, withoutTypes(file))) if (/\.tsx?$/.test(path)) reached.add(path);
  expect(reached).toContain('app/features/portfolio/detail/article.tsx');
  expect([...reached].filter((file) => /from 'react-router/.test(withoutTypes(file)))).toEqual([]);
});

it('the style sheets use the four breakpoints of tokens.css', () => {
  const widths = files
    .filter((file) => file.endsWith('.css'))
    .flatMap((file) => [...read(file).matchAll(/@media[^{]*?width: (\d+)px/g)].map(([, px]) => [file, px] as const));
  const named = ['639', '640', '899', '900', '1023', '1024', '1199', '1200'];
  expect(widths.filter(([, px]) => !named.includes(px!)).map(([file, px]) => `${file}: ${px}px`)).toEqual([]);
  expect(widths.length).toBeGreaterThan(0);
});

/** Exports that React Router reads from route modules. */
const OF_ROUTES = 'loader clientLoader action meta links headers handle shouldRevalidate ErrorBoundary'.split(' ');
const EXPORT =
  /^export (?:default )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

it('files and folders export each name once within the site', () => {
  const places = new Map<string, string[]>();
  for (const file of sources.filter((file) => file.startsWith('app/')))
    for (const name of new Set([...read(file).matchAll(EXPORT)].map(([, name]) => name!)))
      if (!OF_ROUTES.includes(name)) places.set(name, [...(places.get(name) ?? []), file]);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

it('files and folders have at most 25 entries per folder', () => {
  const entries = new Map<string, Set<string>>();
  for (const file of files)
    file.split('/').forEach((entry, depth, parts) => {
      const folder = parts.slice(0, depth).join('/') || '.';
      entries.set(folder, (entries.get(folder) ?? new Set()).add(entry));
    });
  // npm requires its files in these folders.
  for (const file of ['.npmrc', 'package.json', 'package-lock.json']) entries.get('tests')!.delete(file);
  // Tools require files in the root; the other folders are ordered lists.
  const lists = ['.', 'docs/decisions', 'docs/schema', 'supabase/migrations', 'tests/permissions'];
  expect(
    [...entries].filter(([folder, { size }]) => size > 25 && !lists.includes(folder)).map(([folder]) => folder),
  ).toEqual([]);
});

it('files and folders have at most 300 lines per file, unless its first line gives a reason', () => {
  const long = sources.filter((file) => {
    const lines = read(file).split('\n');
    return lines.length > 301 && !lines[0]!.startsWith('// Long: ');
  });
  expect(long.filter((file) => !/^(tests|bench\/mutations)\//.test(file))).toEqual([]);
});

it('the migrations declare in their first line whether the previous release works with them', () => {
  const isNew = (file: string) =>
    (/^supabase\/migrations\/\d+_.*\.sql$/.test(file) && basename(file) > '20261201002700_object_references.sql') ||
    (/^packages\/backend\/database\/platform\/.*\.sql$/.test(file) && basename(file) > '140-saml-answers.sql');
  const silent = files.filter(isNew).filter((file) => !/^-- (expand|contract)\b/.test(read(file)));
  expect(silent).toEqual([]);
});

it('the migrations create each function, table, index, policy and trigger once', () => {
  const sql = files
    .filter((file) => /^supabase\/migrations\/.*\.sql$/.test(file))
    .map(read)
    .join('\n');
  const created = [
    ...sql.matchAll(/^create (function|table|(?:unique )?index|domain) ([\w.]+)/gm),
    ...sql.matchAll(/^create (policy|trigger) ("[^"]+"|\w+)[^;]*? on ([\w.]+)/gm),
  ].map((match) => match.slice(1).join(' '));
  expect(created.length).toBeGreaterThan(300);
  expect(created.filter((name, index) => created.indexOf(name) !== index)).toEqual([]);
  expect(sql.match(/^(create or replace|drop) .*/gm)).toBeNull();
});

it('the migrations match docs/schema ("npm run schema" regenerates it)', async () => {
  const described = files.filter((file) => file.startsWith('docs/schema/'));
  const current = await describeSchema();
  expect(described.map((file) => basename(file))).toEqual([...current.keys()].sort());
  for (const file of described) expect(read(file), file).toBe(current.get(basename(file)));
});

it('the documents explain every setting in .env.example, in order', () => {
  const documented = [...read('.env.example').matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
  const filledIn = [...read('supabase/madhouse.toml').matchAll(/env\(([A-Z0-9_]+)\)/g)].map(([, name]) => name!);
  expect([...documented].sort()).toEqual([...settingNames, ...filledIn.filter((name) => name !== 'NAME')].sort());
});

it('the documents read the environment only in config.ts', () => {
  const readers = sources.filter((file) => !/^(tests|bench)\//.test(file) && /process\.env\b/.test(read(file)));
  // The decoder process gets a few variables that are not settings.
  const allowed = [
    'packages/backend/config/config.ts',
    'server.ts',
    'packages/backend/config/supabase-config.ts',
    'packages/backend/storage/images/decoder.ts',
  ];
  expect(readers.filter((file) => !allowed.includes(file))).toEqual([]);
});

it('the documents describe every dependency in one sentence, and limit those of a server', () => {
  const dependencyDoc = read('docs/dependencies.md');
  const packages = manifests.flatMap((manifest) =>
    Object.values(manifest).flatMap((names) => Object.keys(names ?? {})),
  );
  expect(packages.filter((name) => !dependencyDoc.includes(`\`${name}\``))).toEqual([]);
  expect(Object.keys(dependencies).length).toBeLessThanOrEqual(25);
});

it('the documents pin the optional SAML library at the version of the error message', () => {
  const version = manifests[0]!.devDependencies!['@node-saml/node-saml']!;
  expect(read('packages/backend/auth/sso/library.ts')).toContain(`'@node-saml/node-saml@${version}'`);
});

it('the documents install no package for tests that the product imports', () => {
  const { packages } = JSON.parse(read('tests/package-lock.json')) as { packages: object };
  const names = Object.keys(packages)
    .filter((path) => path.lastIndexOf('node_modules/') === 0)
    .map((path) => path.replace('node_modules/', ''));
  const ours = Object.values(manifests[0]!).flatMap((list) => Object.keys(list ?? {}));
  expect(names.filter((name) => ours.includes(name))).toEqual([]);
});

it('the documents declare every package that the server imports as a runtime dependency', () => {
  const exceptions = [
    // Optional: loaded when SAML is enabled.
    'packages/backend/auth/sso/library.ts: @node-saml/node-saml',
    'packages/backend/auth/sso/library.ts: @node-saml/node-saml',
    // Loaded by `npm run dev` and the build only.
    'server/development.ts: vite',
    'server/social-images/fonts.ts: subset-font',
  ];
  const imported = sources
    .filter((file) => /^(packages|server|supabase)\/|^(server|media-address|rich-text)\.ts$/.test(file))
    .flatMap((file) =>
      [...withoutTypes(file).matchAll(PACKAGE)]
        .map((match) => match[1] ?? match[2]!)
        .filter((name) => !isBuiltin(name) && !(name in dependencies))
        .map((name) => `${file}: ${name}`),
    );
  expect(imported.sort()).toEqual(exceptions);
});

it('the documents trace requests through files that import the next one', () => {
  const walks = [...read('docs/architecture.md').matchAll(/^### .*\n((?:\d+\. .*\n)+)/gm)].map(([, steps]) =>
    steps!
      .trim()
      .split('\n')
      .map((step) => ({
        step,
        text: read(/^\d+\. `([^`]+)`/.exec(step)![1]!),
        word: / → `([^`]+)`$/.exec(step)?.[1],
      })),
  );
  expect(walks.length).toBe(4);
  const lost = walks.flatMap((walk) =>
    walk
      .slice(0, -1)
      .filter(({ text, word }, at) => !word || ![text, walk[at + 1]!.text].every((one) => one.includes(word))),
  );
  expect(lost.map(({ step }) => step)).toEqual([]);
});

it('the documents link only to files of the repository', () => {
  const documents = files.filter((file) => file.endsWith('.md'));
  const broken = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
      .map(([, link]) => normalize(join(dirname(file), link!)))
      .filter((path) => !existsSync(path))
      .map((path) => `${file} → ${path}`),
  );
  expect(broken).toEqual([]);
});

it('the documents have no mutation whose text is missing or ambiguous in its file ("npm run bench -- mutations")', () => {
  const all = readMutations();
  expect(all.length).toBeGreaterThan(100);
  const outdated = all.filter(({ file, from }) => read(file).split(from).length !== 2);
  expect(outdated.map(({ breaks, file }) => `${breaks}: ${file}`)).toEqual([]);
});
