import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A process in which V8 has not collected the whole heap for so long does nothing large. */
const QUIET_MS = 10_000;
/** Growth of resident memory since the last look from which a collection is worth its pause of some 100 ms. */
const WORTH_BYTES = 40 * 1024 * 1024;

/**
 * Gives the memory of large work, such as a scan, back to the machine when that work is over. V8 keeps freed pages until it collects again, and a process at rest
 * allocates so little that this can take hours.
 * @param quietMs how long V8 must have found nothing to do
 * @returns ends it
 */
export const collectWhenIdle = (quietMs = QUIET_MS): (() => void) => {
  let knownBytes = process.memoryUsage.rss();
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    if (process.memoryUsage.rss() > knownBytes + WORTH_BYTES) await collect();
    knownBytes = process.memoryUsage.rss();
  };
  const observer = new PerformanceObserver((list) => {
    if (!list.getEntries().some(isMajor)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void look(), quietMs).unref();
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
};

/** Whether V8 collected the whole heap. */
const isMajor = ({ detail }: PerformanceEntry & { readonly detail?: { readonly kind?: number } }): boolean =>
  detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

/** Node has no function of its own for it; this one is what `--expose-gc` gives to all modules. The last resort also gives pages back that V8 keeps for later. */
const collect = async (): Promise<void> => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => Promise<void>;
  await gc({ type: 'major', execution: 'async', flavor: 'last-resort' });
};
