/**
 * Runs inside of a server under test, before its program (`node --import`), and tells over the channel to its parent how long the event loop was held since it was last
 * asked: by the histogram of delays, and by the processor time of the thread between two turns of a timer, which others on a busy machine do not lengthen.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { PROBE_QUESTION, type ProbeReading } from './probe-reading.js';

const TICK_MS = 10;

const delays = monitorEventLoopDelay({ resolution: TICK_MS });
delays.enable();

const used = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

let lastUs = used();
let mostUs = 0;
const tick = (): void => {
  const nowUs = used();
  mostUs = Math.max(mostUs, nowUs - lastUs);
  lastUs = nowUs;
};
setInterval(tick, TICK_MS).unref();

/** Time in which the histogram sees a turn that has just ended, and, after a reset, the turn from which it measures the next delay. */
const SETTLE_MS = 3 * TICK_MS;

process.on('message', (question) => {
  if (question === PROBE_QUESTION) void answer();
});

const answer = async (): Promise<void> => {
  await delay(SETTLE_MS);
  tick();
  const reading: ProbeReading = { delayMs: delays.max / 1e6, busyMs: mostUs / 1000 };
  delays.reset();
  mostUs = 0;
  await delay(SETTLE_MS);
  process.send?.(reading);
};
// The channel must not keep a server running that was told to end.
process.channel?.unref();
