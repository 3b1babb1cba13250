import type { SnapshotStore } from '../../src/aggregates/snapshots.js';

/** No snapshots: every load folds from the first event. */
export const noSnapshots: SnapshotStore = {
  load: () => Promise.resolve(undefined),
  save: () => Promise.resolve(),
};
