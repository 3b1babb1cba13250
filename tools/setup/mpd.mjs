import { say } from './say.mjs';
import { onPath, run, tail } from './shell.mjs';

/**
 * The path of a Music Player Daemon for the tests that play on the server itself; undefined where there is none, and those tests say that they did not run.
 * Nobody else needs one. Only where `CONTINUO_TEST_MPD` is `install`, as in the CI, and root may, apt installs it: on a person's machine the package would
 * start a daemon of its own.
 */
export async function offerMpd() {
  const chosen = process.env.MPD_BIN;
  if (chosen) return chosen;
  const [found] = onPath('mpd');
  if (found || process.env.CONTINUO_TEST_MPD !== 'install' || process.getuid?.() !== 0 || onPath('apt-get').length === 0) return found;
  say('Installing mpd with apt-get for the tests that play on the server itself (once) …');
  const aptGet = (...args) => run('apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: 10 * 60_000 });
  const command = ['install', '-y', '--no-install-recommends', 'mpd'];
  let result = await aptGet(...command);
  if (result.code !== 0) {
    // The package lists may be missing or out of date.
    await aptGet('update');
    result = await aptGet(...command);
  }
  if (result.code !== 0) say(`mpd could not be installed; the tests that need it are skipped (${tail(result.output, 1)}).`);
  return onPath('mpd')[0];
}
