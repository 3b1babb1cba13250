import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './say.mjs';
import { run } from './shell.mjs';
import { versions } from './versions.mjs';

const architectures = { x64: 'amd64', arm64: 'arm64', arm: 'arm7', s390x: 's390x', ppc64: 'ppc64le' };
const answerTimeoutMs = 5_000;
const downloadTimeoutMs = 120_000;

/**
 * Fetches the pinned release archive into a folder and answers the path of the program in it.
 *
 * The archive is compared with the SHA256SUMS file of the same release. That file comes from the same place over HTTPS,
 * so it guards against damage on the way and a mixed-up archive, not against a release page that was taken over.
 */
export async function fetchRelease(folder) {
  const architecture = architectures[process.arch];
  if (!architecture || !['linux', 'darwin'].includes(process.platform))
    throw new SetupError(`has nothing for ${process.platform} ${process.arch}`);
  const name = `nats-server-v${versions.natsServer}-${process.platform}-${architecture}`;
  const base = `https://github.com/nats-io/nats-server/releases/download/v${versions.natsServer}`;
  const sums = (await download(`${base}/SHA256SUMS`)).toString('utf8');
  const archive = await download(`${base}/${name}.tar.gz`);
  const expected = sums
    .split('\n')
    .map((line) => line.trim().split(/\s+\*?/))
    .find(([, file]) => file === `${name}.tar.gz`)?.[0];
  const actual = createHash('sha256').update(archive).digest('hex');
  if (expected !== actual)
    throw new SetupError(expected ? `the checksum of ${name}.tar.gz is wrong` : `its SHA256SUMS lacks ${name}.tar.gz`);
  writeFileSync(join(folder, 'archive.tar.gz'), archive);
  const { code, output } = await run('tar', ['-xzf', 'archive.tar.gz'], { cwd: folder });
  if (code !== 0) throw new SetupError(`tar cannot unpack ${name}.tar.gz: ${output.trim()}`);
  return join(folder, name, 'nats-server');
}

async function download(url) {
  const stop = new AbortController();
  const slow = setTimeout(() => stop.abort(), answerTimeoutMs);
  const tooSlow = setTimeout(() => stop.abort(), downloadTimeoutMs);
  try {
    const answer = await fetch(url, { signal: stop.signal });
    clearTimeout(slow);
    if (!answer.ok) throw new SetupError(`answered ${answer.status}`);
    return Buffer.from(await answer.arrayBuffer());
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError('cannot be reached', { cause: error });
  } finally {
    clearTimeout(slow);
    clearTimeout(tooSlow);
  }
}
