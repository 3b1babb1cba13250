import { say } from './say.mjs';
import { onPath, run, tail } from './shell.mjs';

/**
 * The path of a program that only some tests need; undefined where there is none. Only where the setting is `install`, as in the CI, and root may, apt
 * installs its package.
 */
export async function offerByApt({ names, aptPackage, setting, tests }) {
  const find = () => names.flatMap(onPath)[0];
  const found = find();
  if (found || process.env[setting] !== 'install' || process.getuid?.() !== 0 || onPath('apt-get').length === 0) return found;
  say(`Installing ${aptPackage} with apt-get for the tests ${tests} (once) …`);
  const aptGet = (...args) => run('apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: 10 * 60_000 });
  const command = ['install', '-y', '--no-install-recommends', aptPackage];
  let result = await aptGet(...command);
  if (result.code !== 0) {
    // The package lists may be missing or out of date.
    await aptGet('update');
    result = await aptGet(...command);
  }
  if (result.code !== 0) say(`${aptPackage} could not be installed; the tests that need it are skipped (${tail(result.output, 1)}).`);
  return find();
}
