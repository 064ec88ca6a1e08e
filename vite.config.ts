import { writeFile } from 'node:fs/promises';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig, type Plugin } from 'vite';
import { cutFaces, faceLicences } from './faces.ts';
import project from './package.json' with { type: 'json' };
import { writeFonts } from './server/social-images/fonts.ts';

const STATIC_PAGE_SCRIPT = 'virtual:static-page-script';

/** Entry for the static pages' script, without React or router. Pages import its URL. */
function staticPageScript(): Plugin {
  let address = '/app/static-page.ts';
  return {
    name: 'static-page-script',
    sharedDuringBuild: true,
    buildStart() {
      if (this.environment.name !== 'client' || this.meta.watchMode || this.environment.mode === 'dev') return;
      this.emitFile({ type: 'chunk', id: '/app/static-page.ts', name: 'static-page' });
    },
    generateBundle(_, bundle) {
      if (this.environment.name !== 'client') return;
      // Not by name: a page may have the same name.
      const entry = Object.values(bundle).find(
        (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith('/app/static-page.ts'),
      );
      if (entry) address = `/${entry.fileName}`;
    },
    resolveId: (id) => (id === STATIC_PAGE_SCRIPT ? `\0${STATIC_PAGE_SCRIPT}` : null),
    // Only the server renders the document, so the client bundle never loads this.
    load: (id) => (id === `\0${STATIC_PAGE_SCRIPT}` ? `export default ${JSON.stringify(address)}` : null),
  };
}

/** Writes the font licences into the site, and the paths of its packages to build/packages.json for the release. */
function licences(): Plugin {
  const packages = new Set<string>();
  return {
    name: 'licences',
    sharedDuringBuild: true,
    async generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        for (const id of file.type === 'chunk' ? file.moduleIds : []) {
          const path = /node_modules\/.*(?<=node_modules\/)(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
          if (path) packages.add(path);
        }
      if (this.environment.name === 'client')
        this.emitFile({ type: 'asset', fileName: 'font-licences.txt', source: await faceLicences() });
    },
    async writeBundle() {
      await writeFile('build/packages.json', JSON.stringify([...packages].sort()));
    },
  };
}

const faces = (): Plugin => ({
  name: 'faces-for-drawing',
  applyToEnvironment: (environment) => environment.name === 'ssr',
  async writeBundle() {
    await writeFonts('build/faces');
  },
});

/** Small modules that are loaded together, so that pages make few requests. A group includes what its modules import. */
const ON_EVERY_PAGE = [
  'context/use-facts',
  'features/pages/frame',
  'features/projects/model/labels',
  'features/seo/model/page-meta',
  'features/settings/model/facts',
  'lib/data/api-error',
  'lib/words/messages',
  'ui/brand-mark',
  'ui/feedback/banner',
  'ui/feedback/error-panel',
  'ui/feedback/page-error',
  'ui/form/button',
  'ui/icon',
];
const ON_EVERY_CARD = ['features/credits/credit-strip', 'lib/words/categories', 'lib/words/media'];
const ON_EVERY_FORM = [
  'features/credits/model/rows',
  'features/media/model/titles',
  'lib/data/email',
  'lib/data/ids',
  'lib/data/retry',
  'lib/data/rows',
  'session/use-signed-in',
  'ui/feedback/spinner',
  'ui/form/field',
  'ui/form/keep-focus',
  'ui/form/use-countdown',
  'ui/form/use-submit',
  'ui/layout/section',
  'ui/time',
];
const ON_EXPERIMENT_FORMS = [
  'features/credits/credits-editor',
  'features/media/poster-field',
  'features/media/upload-limit',
  'features/media/uploads',
  'ui/editor/rich-text-editor',
  'ui/form/category-field',
  'ui/form/tags-field',
];

const ON_EVERY_EXPERIMENT = [
  'context/picture-host',
  'features/drafts/model/draft-links',
  'features/media/model/picture',
  'features/projects/model/fields',
  'features/projects/model/read',
  'features/projects/model/status',
  'features/projects/model/write',
  'lib/data/page',
];
const WITH_A_SESSION = [
  'features/account/code/entry',
  'features/account/model/account',
  'features/account/second-factor',
  'features/account/sign-in-form',
  'features/account/use-arrival',
  'features/account/use-identity-submit',
  'session/after-sign-in',
  'session/current-user',
  'session/query-cache',
  'ui/admin/loaded',
  'ui/feedback/confirm-dialog',
  'ui/form/define-form',
  'ui/work-sheet',
];
const ON_ADMIN_SCREENS = [
  'features/media/thumbnail',
  'features/messages/message-queries',
  'features/projects/project-queries',
  'features/reviews/review-queries',
  'features/trash/use-undo-delete',
  'lib/data/user-name',
  'lib/words/admin',
  'lib/words/tables',
  'session/caller',
  'ui/admin/delete-dialog',
  'ui/admin/drop-menu',
  'ui/admin/leave-guard',
  'ui/admin/screen-head',
  'ui/data/list-screen',
  'ui/data/more-button',
  'ui/form/use-debounced',
];

const modulesOf = (paths: readonly string[]) => new RegExp(`/app/(?:${paths.join('|')})\\.tsx?$`);

export default defineConfig(async ({ command }) => ({
  resolve: { alias: await cutFaces() },
  plugins: [reactRouter(), staticPageScript(), licences(), faces()],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                // One small file instead of three: static pages make few requests.
                {
                  name: 'small',
                  test: /app\/(session\/(?:remembered|stored)|ui\/(?:media\/placeholder|restore-focus|scroll))\.ts|vite\/preload-helper/,
                  priority: 4,
                },
                // Two files compress better than six. Static pages with a session load the first alone.
                { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
                { name: 'router', test: /node_modules\/react-router\//, priority: 3 },
                { name: 'page', test: modulesOf(ON_EVERY_PAGE), priority: 2 },
                { name: 'card', test: modulesOf(ON_EVERY_CARD), priority: 2 },
                { name: 'form', test: modulesOf(ON_EVERY_FORM), priority: 2 },
                { name: 'experiment-form', test: modulesOf(ON_EXPERIMENT_FORMS), priority: 2 },
                { name: 'experiment', test: modulesOf(ON_EVERY_EXPERIMENT), priority: 2 },
                { name: 'query', test: /node_modules\/@tanstack\//, priority: 2 },
                { name: 'session', test: modulesOf(WITH_A_SESSION), priority: 1 },
                { name: 'admin', test: modulesOf(ON_ADMIN_SCREENS) },
              ],
            },
          },
        },
      },
    },
    ssr: {
      build: { rolldownOptions: { input: './app/site.ts' } },
      // Bundles packages that a server does not install. In development Node imports them all.
      ...(command === 'build' && {
        resolve: { noExternal: true as const, external: Object.keys(project.dependencies) },
        keepProcessEnv: false,
      }),
    },
  },
  // Browsers since May 2024: themes need no second value of each colour.
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
}));
