import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchFromApt } from './nats-apt.mjs';
import { fetchRelease } from './nats-release.mjs';
import { cache } from './paths.mjs';
import { say, SetupError } from './say.mjs';
import { isExecutable, onPath, run } from './shell.mjs';
import { reaches, versions } from './versions.mjs';

const cached = join(cache, 'nats-server', process.platform === 'win32' ? 'nats-server.exe' : 'nats-server');
const wanted = `nats-server ${versions.natsServerAtLeast} or newer`;

/** The path of a nats-server that is new enough: the operator's, the machine's, or one fetched into the cache folder. */
export async function ensureNats() {
  const chosen = process.env.NATS_SERVER_BIN;
  if (chosen) {
    const version = await versionOf(chosen);
    if (isFine(version)) return chosen;
    throw new SetupError(
      `NATS_SERVER_BIN names ${chosen}, which ${version ? `is version ${version}` : 'cannot be run'}; point it at ${wanted}.`,
    );
  }
  for (const path of [...onPath('nats-server'), cached]) if (isFine(await versionOf(path))) return path;
  await fetchNats();
  return cached;
}

const sources = [
  { name: 'the release page', fetchInto: fetchRelease },
  { name: "the distribution's packages", fetchInto: fetchFromApt },
];

/** Tries each source in turn; what it brings must run here and be new enough. */
async function fetchNats() {
  say('Fetching nats-server into .cache (once) …');
  const troubles = [];
  for (const { name, fetchInto } of sources) {
    const scratch = mkdtempSync(join(tmpdir(), 'continuo-nats-'));
    try {
      const found = await fetchInto(scratch);
      const version = await versionOf(found);
      if (!isFine(version)) throw new SetupError(version ? `it brought version ${version}` : 'what it brought does not run here');
      keep(found);
      say(`nats-server ${version} came from ${name}.`);
      return;
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      troubles.push(`${name}: ${error.message}`);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  throw new SetupError(`No ${wanted} could be fetched; install one, or set NATS_SERVER_BIN to its path (${troubles.join('; ')}).`);
}

function keep(found) {
  mkdirSync(join(cache, 'nats-server'), { recursive: true });
  const draft = `${cached}.${process.pid}`;
  copyFileSync(found, draft);
  chmodSync(draft, 0o755);
  renameSync(draft, cached);
}

async function versionOf(path) {
  if (!isExecutable(path)) return undefined;
  const { code, output } = await run(path, ['-v'], { timeoutMs: 10_000 });
  return code === 0 ? /v?(\d+\.\d+\.\d+\S*)/.exec(output)?.[1] : undefined;
}

function isFine(version) {
  return version !== undefined && reaches(version, versions.natsServerAtLeast);
}
