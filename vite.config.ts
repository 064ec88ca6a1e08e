import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { compressFolder } from './door/compress.ts';

/** The plain script of the reading pages: one small file of its own, without React or router. */
const readingScript = (): Plugin => ({
  name: 'reading-script',
  applyToEnvironment: (environment) => environment.name === 'client',
  buildStart() {
    if (this.meta.watchMode || this.environment.mode === 'dev') return;
    this.emitFile({ type: 'chunk', id: '/app/reading.ts', fileName: 'assets/reading.js' });
  },
});

/** Every file of the built site once more, in brotli and gzip, so that a start has nothing to compress. */
const compressed = (): Plugin => ({
  name: 'compressed',
  enforce: 'post',
  applyToEnvironment: (environment) => environment.name === 'client',
  async writeBundle({ dir }) {
    if (dir) await compressFolder(dir);
  },
});

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), readingScript(), compressed()],
  environments: { ssr: { build: { rolldownOptions: { input: './app/site.ts' } } } },
  build: { target: 'es2023', assetsInlineLimit: 0 },
});
