import { Worker } from 'node:worker_threads';

/** Nursery of the thread: what a batch leads to dies in it. */
const YOUNG_HEAP_MB = 48;

/** Starts the thread that makes rows of folder events. */
export const startFillingThread = (): Worker => {
  const fromSources = import.meta.url.endsWith('.ts');
  const program = fromSources ? '../../dist/catalogue/filling-thread.main.js' : './filling-thread.main.js';
  return new Worker(new URL(program, import.meta.url), {
    name: 'filling',
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    execArgv: [],
  });
};
