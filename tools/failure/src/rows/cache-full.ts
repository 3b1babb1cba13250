import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { equal, noneOf, type Finding } from '../checks/finding.js';
import { behindGateways, type ServiceName } from '../cluster/cluster.js';
import { SmallDisk } from '../disk/small-disk.js';
import { administrator } from '../http/api-client.js';
import { cacheContents, checkWhole, type CacheContents } from '../transcodes/transcode-checks.js';
import { hear, addSongWithSound, type Heard, type ListenedSong } from './listened-cluster.js';
import type { RowOptions, RowReport } from './row.js';
import { underLoad, type Scene } from './under-load.js';

const SECONDS = 120;
const DISK_MIB = 24;
const WORKERS = ['transcoding-1', 'transcoding-2'] as const satisfies readonly ServiceName[];
/** Bit rates that MP3 knows: others would be rounded to one of them, and come from the cache. */
const MP3_KBPS = [64, 80, 96, 112, 128, 160] as const;
const STEPS = 3;
/** By then a part of the transcode lies on the disk. */
const BEFORE_FULL = 256 * 1024;
const SETTLED_MS = 10_000;
const LOOK_AGAIN_MS = 100;

/** The disk of the cache is full for a while: before a transcode begins, and in the middle of one. Whoever listens hears it all; nothing but whole files stays behind. */
export const cacheDiskFull = async (options: RowOptions): Promise<RowReport> => {
  const disk = await SmallDisk.mount(`${options.home}.small`, DISK_MIB);
  const folders = WORKERS.map((name) => join(disk.folder, name));
  try {
    return await underLoad(options, {
      row: 'disk-full-cache',
      cluster: {
        services: ['gateway-1', 'library-1', ...behindGateways, 'transcoding-2'],
        settings: administrator,
        detour: () => Promise.resolve(Object.fromEntries(WORKERS.map((name, index) => [name, { TRANSCODE_CACHE: folders[index] ?? '' }]))),
      },
      writers: 1,
      fault: async (scene) => {
        const song = await addSongWithSound(scene.cluster, scene.load, scene.home, SECONDS);
        const findings: Finding[] = [];
        for (let round = 0; round < scene.rounds; round += 1) findings.push(...(await fillAndHear(scene, { disk, folders, song }, round)));
        return { faults: 2 * scene.rounds, findings };
      },
    });
  } finally {
    await disk.end();
  }
};

interface Listening {
  readonly disk: SmallDisk;
  readonly folders: readonly string[];
  readonly song: ListenedSong;
}

const fillAndHear = async ({ cluster, home, say }: Scene, { disk, folders, song }: Listening, round: number): Promise<Finding[]> => {
  const gateway = cluster.gatewayUrl('gateway-1');
  const query = (step: number) => ({ id: song.id, format: 'mp3', maxBitRate: String(MP3_KBPS[(STEPS * round + step) % MP3_KBPS.length]) });
  await disk.fill();
  const before = await hear(gateway, query(0));
  await disk.empty();
  let isFull = false;
  const midway = await hear(gateway, query(1), 0, async (received) => {
    if (isFull || received < BEFORE_FULL) return;
    isFull = true;
    await disk.fill();
  });
  const whileFull = await settled(folders);
  await disk.empty();
  const after = await hear(gateway, query(2));
  const again = await hear(gateway, query(2));
  const { finished, leftOver } = await settled(folders, whileFull.finished.length + 1);
  const heard: Readonly<Record<string, Heard>> = { 'before it began': before, midway, 'when there was room again': after };
  say(
    `heard ${Object.values(heard)
      .map(({ bytes }) => bytes.length)
      .join(', ')} bytes; ${finished.length} kept`,
  );
  return [
    ...(await wholeAsHeard(heard, join(home, `heard ${round}`))),
    await checkWhole(finished, SECONDS),
    noneOf('files half made and left over', [...whileFull.leftOver, ...leftOver]),
    equal('bytes from the cache = bytes as they were made', again.bytes.length, after.bytes.length),
    noneOf('transcodes that were not kept though there was room', finished.length > whileFull.finished.length ? [] : [`in round ${round}`]),
  ];
};

/** A listener has everything a moment before the file is in its place, or away: looks until both are so, or too late. */
const settled = async (folders: readonly string[], least = 0): Promise<CacheContents> => {
  const deadline = performance.now() + SETTLED_MS;
  for (;;) {
    const contents = await cacheContents(folders);
    const isSettled = contents.leftOver.length === 0 && contents.finished.length >= least;
    if (isSettled || performance.now() > deadline) return contents;
    await delay(LOOK_AGAIN_MS);
  }
};

const wholeAsHeard = async (heard: Readonly<Record<string, Heard>>, path: string): Promise<Finding[]> => {
  const files: string[] = [];
  for (const [when, { bytes }] of Object.entries(heard)) {
    files.push(`${path} ${when}.mp3`);
    await writeFile(files.at(-1) ?? path, bytes);
  }
  const broken = Object.entries(heard).flatMap(([when, { isWhole }]) => (isWhole ? [] : [when]));
  return [noneOf('streams that broke off', broken), await checkWhole(files, SECONDS)];
};
