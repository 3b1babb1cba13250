import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { noneOf, type Finding } from '../checks/finding.js';
import { behindGateways, type ServiceName } from '../cluster/cluster.js';
import { administrator } from '../http/api-client.js';
import { cacheContents, checkWhole } from '../transcodes/transcode-checks.js';
import { hear, addSongWithSound, type ListenedSong } from './listened-cluster.js';
import type { RowOptions, RowReport } from './row.js';
import { underLoad, type Scene } from './under-load.js';

const run = promisify(execFile);
const SECONDS = 240;
const WORKERS = ['transcoding-1', 'transcoding-2'] as const satisfies readonly ServiceName[];
const READY_MS = 120_000;
const BEFORE_DEATH = 32 * 1024;
const FIRST_KBPS = 96;
const TRIES = 10;

/** A transcoder dies while somebody listens to what it makes. Jobs that are made ahead are another scenario, `kill-transcodes`. */
export const transcoderDies = (options: RowOptions): Promise<RowReport> =>
  underLoad(options, {
    row: 'transcoder',
    cluster: { services: ['gateway-1', 'library-1', ...behindGateways, 'transcoding-2'], settings: administrator },
    writers: 1,
    fault: async (scene) => {
      const song = await addSongWithSound(scene.cluster, scene.load, scene.home, SECONDS);
      const findings: Finding[] = [];
      const told: unknown[] = [];
      for (let round = 0; round < scene.rounds; round += 1) {
        const { found, ...figures } = await dies(scene, song, round);
        findings.push(...found);
        told.push(figures);
      }
      const { leftOver } = await cacheContents(WORKERS.map((name) => join(scene.home, `cache of ${name}`)));
      findings.push(noneOf('files half made and left over', leftOver));
      return { faults: scene.rounds, findings, figures: { listeners: told } };
    },
  });

const dies = async ({ cluster, home, say }: Scene, song: ListenedSong, round: number) => {
  const gateway = cluster.gatewayUrl('gateway-1');
  // Another bit rate each time: what was made once would come from the cache.
  const query = { id: song.id, format: 'mp3', maxBitRate: String(FIRST_KBPS + 32 * (round % 6)) };
  let [killed, asked]: [ServiceName | undefined, number] = [undefined, 0];
  let heard = await hear(gateway, query, 0, async (received) => {
    if (killed || received < BEFORE_DEATH) return;
    killed = await workerAtWork(cluster);
    if (killed) await cluster.part(killed).kill();
  });
  const broke = !heard.isWhole;
  for (asked = 1; !heard.isWhole && asked < TRIES; asked += 1) heard = await hear(gateway, query);
  say(`${killed ?? 'nobody'} died, the listener ${broke ? `noticed and asked ${asked - 1} times more` : 'heard on'}`);
  if (killed) await cluster.part(killed).revive();
  await cluster.ready(READY_MS);
  const file = join(home, `heard ${round}.mp3`);
  await writeFile(file, heard.bytes);
  const whole = await checkWhole([file], SECONDS);
  return { found: [whole, noneOf('rounds in which nobody was at work any more', killed ? [] : [String(round)])], killed, broke, asked };
};

/** The one that has an ffmpeg. */
const workerAtWork = async (cluster: Scene['cluster']): Promise<ServiceName | undefined> => {
  const { stdout } = await run('ps', ['-eo', 'ppid,comm']);
  return WORKERS.find((name) => new RegExp(`^\\s*${cluster.part(name).pid}\\s+ffmpeg`, 'm').test(stdout));
};
