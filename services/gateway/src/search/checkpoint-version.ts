/** Projections whose rows searches read beside the catalogue. */
const READ_BY_SEARCHES = ['playback-plays', 'social-annotations', 'social-accounts', 'library-playlists'];

/**
 * Returns a reader of a text that changes with each event that the projections behind searches apply: their positions. A writer's own event is in it as soon
 * as its call is answered.
 */
export const checkpointVersion =
  (readCheckpoints: () => Promise<ReadonlyMap<string, number>>): (() => Promise<string>) =>
  async () => {
    const positions = await readCheckpoints();
    return READ_BY_SEARCHES.map((name) => positions.get(name) ?? 0).join(' ');
  };
