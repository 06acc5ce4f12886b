/** Builds the console into dist/console, for api/console/pages.ts: hashed names, nothing inline, nothing from elsewhere. */
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The policy admits no inline data.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
