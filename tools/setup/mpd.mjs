import { offerByApt } from './apt.mjs';

/**
 * The path of a Music Player Daemon for the tests that play on the server itself; undefined where there is none, and those tests say that they did not run.
 * Nobody else needs one. Only where `CONTINUO_TEST_MPD` is `install`, as in the CI, and root may, apt installs it: on a person's machine the package would
 * start a daemon of its own.
 */
export const offerMpd = async () =>
  process.env.MPD_BIN ||
  offerByApt({ names: ['mpd'], aptPackage: 'mpd', setting: 'CONTINUO_TEST_MPD', tests: 'that play on the server itself' });
