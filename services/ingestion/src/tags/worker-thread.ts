import { Worker } from 'node:worker_threads';
import type { ReadLimits } from './tag-reader.js';

/** Heap of one worker; a file that needs more is given up, not the process. Picture bytes live outside the heap. */
const MAX_HEAP_MB = 512;
/** Objects of a file become garbage at once: a small nursery, here of 2 MB, keeps the thread small. */
const MAX_YOUNG_HEAP_MB = 3;

/** Lets a thread that runs from sources resolve the `.js` specifiers of TypeScript modules; compiled code needs none of it. */
const sourceHook = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith('.') && context.parentURL?.endsWith('.ts') ? next(specifier.replace(/\\.js$/, '.ts'), context) : next(specifier, context),
  });
`)}`;

/** Starts a tag worker, from compiled code or from sources, whichever this module itself runs from. */
export const startWorkerThread = (limits: ReadLimits): Worker => {
  const fromSources = import.meta.url.endsWith('.ts');
  const entry = new URL(fromSources ? './tag-worker.ts' : './tag-worker.js', import.meta.url);
  return new Worker(entry, {
    workerData: limits,
    name: 'tag-worker',
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MB },
    execArgv: fromSources ? ['--import', sourceHook] : [],
  });
};
