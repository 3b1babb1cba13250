import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

/** The views of managing; the page itself knows only how to load them. */
const OF_MANAGING = /\/features\/manage\/(?!index)/;

/** Makes the service worker after the page: it names the files that it keeps, which are all but those of managing, which only administrators load. */
export const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const files = Object.values(bundle)
      .filter((file) => file.type === 'chunk')
      .filter(({ moduleIds }) => !moduleIds.some((id) => OF_MANAGING.test(id)))
      .flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? []), ...(viteMetadata?.importedAssets ?? [])]);
    await build({
      configFile: false,
      logLevel: 'warn',
      define: { FILES: JSON.stringify([...new Set(files)].map((file) => basename(file)).toSorted()) },
      build: {
        outDir: dir,
        emptyOutDir: false,
        copyPublicDir: false,
        target: 'es2023',
        rolldownOptions: {
          input: fileURLToPath(new URL('src/worker/main.ts', import.meta.url)),
          output: { format: 'iife', entryFileNames: 'service-worker.js' },
        },
      },
    });
  },
});
