import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { serviceWorker } from './build-worker.ts';

/** Replaced by the gateway in each answer; the policy of the page lets only scripts and styles with the nonce load. */
const NONCE = 'NONCE';

export default defineConfig({
  // A proxy may serve the gateway below another path.
  base: './',
  html: { cspNonce: NONCE },
  resolve: { conditions: ['continuo-source', 'module', 'browser', 'development|production'] },
  plugins: [
    react(),
    compression({ algorithms: ['brotliCompress', 'gzip'], include: /\.(?:js|css|svg)$/, threshold: 1024 }),
    serviceWorker(),
  ],
  // Icons are files, not addresses with data in them: the policy allows no others.
  build: {
    outDir: 'page',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // In one file: each costs a slow processor some milliseconds.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] } } },
    // What the page is made of; its authors ask for their licences to go with it.
    license: { fileName: 'licences.json' },
  },
  server: {
    proxy: Object.fromEntries(['/account', '/rest', '/play', '/image.php', '/events'].map((path) => [path, 'http://localhost:8080'])),
  },
});
