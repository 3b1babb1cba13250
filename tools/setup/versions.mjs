/** Pinned versions of the tool chain. */
export const versions = Object.freeze({
  /** Of this checkout; an installed package runs on the machine's Node. */
  node: '24.21.0',
  pnpm: '12.21.0',
  /** Fetched when the machine has no nats-server that is new enough. */
  natsServer: '2.15.1',
  /** Atomic batches and a sound expected-sequence check need this. tools/local-servers refuses older servers too. */
  natsServerAtLeast: '2.12.4',
  ffmpegAtLeast: '5.0.0',
});

/** Whether a dotted version reaches a minimum. Letters after the numbers are not looked at. */
export function reaches(version, minimum) {
  const [have, need] = [version, minimum].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let place = 0; place < 3; place += 1) {
    const difference = (have[place] ?? 0) - (need[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
