import type { ArtConfig } from '@continuo/media-store';
import { openServerArt } from '../../art/server-art.js';
import { counted, formatBytes, formatCount } from '../../output/numbers.js';
import { OperatorError } from '../../connect/operator-error.js';
import type { Access } from '../../connect/locate.js';
import { readManifest, type Manifest } from '../format/manifest.js';
import { restorePictures } from '../pictures/pictures.js';
import { beginRestore, endRestore, loadDatabase, type Epochs } from '../postgres/load-database.js';
import type { Report } from '../report.js';
import type { Cut } from '../streams/cut.js';
import { BUCKETS, EVENT_STREAMS, QUEUES, streamOfBucket } from '../streams/known-streams.js';
import {
  destroyKeys,
  restoreEmpty,
  restoreUntil,
  restoreWhole,
  takeCursorsBack,
  type RestoredStream,
  type StreamTarget,
} from '../streams/restore-streams.js';
import { damagedFiles } from '../verify-backup.js';
import { checkNatsVersion, checkRelease, checkSecret } from './suits.js';
import { checkTarget, clearTarget, connectTarget, type Target } from './target.js';
import { cutsFor } from './until.js';

/** Options of a restore. */
export interface RestoreRequest {
  readonly folder: string;
  readonly access: Access;
  /** Settings of the picture store; undefined where its folder is not known. */
  readonly art: ArtConfig | undefined;
  /** Secrets that the server will have. */
  readonly secrets: readonly string[];
  readonly replace: boolean;
  /** An ISO time or `<stream>=<position>`. */
  readonly until: string | undefined;
  readonly replicas: number | undefined;
  /** Accounts that must not come back. */
  readonly deletions: readonly number[];
  readonly database: boolean;
  readonly pictures: boolean;
}

/** Restores a stream up to a moment. */
const restoreAt = async (
  target: StreamTarget,
  request: RestoreRequest,
  { entry, cuts }: { readonly entry: Manifest['streams'][number]; readonly cuts: Cut | undefined },
): Promise<RestoredStream> => {
  if (cuts === undefined) return restoreWhole(target, request.folder, entry);
  const last = cuts.get(entry.name);
  if (last !== undefined) return restoreUntil(target, request.folder, entry, last);
  // Work of a later time, and sessions of people who may not be there yet.
  const later = [...QUEUES, streamOfBucket(BUCKETS.handbacks), streamOfBucket(BUCKETS.sessions)];
  return later.includes(entry.name) ? restoreEmpty(target, entry) : restoreWhole(target, request.folder, entry);
};

interface RestoredStreams {
  readonly streams: ReadonlyMap<string, RestoredStream>;
  readonly epochs: Epochs;
}

const restoreStreams = async (
  target: StreamTarget,
  request: RestoreRequest,
  { manifest, cuts }: { readonly manifest: Manifest; readonly cuts: Cut | undefined },
  report: Report,
): Promise<RestoredStreams> => {
  const streams = new Map<string, RestoredStream>();
  for (const entry of manifest.streams) {
    report.moving(`Streams: ${streams.size} of ${manifest.streams.length}, ${entry.name}`);
    streams.set(entry.name, await restoreAt(target, request, { entry, cuts }));
  }
  const playback = cuts?.get('EV_PLAYBACK');
  if (playback !== undefined) await takeCursorsBack(target, playback);
  const messages = [...streams.values()].reduce((sum, stream) => sum + stream.messages, 0);
  report.done('Streams', `${counted(streams.size, 'stream')}, ${counted(messages, 'message')}`);
  return { streams, epochs: [...streams.values()].flatMap(({ epochs }) => (epochs ? [epochs] : [])) };
};

const restoreTables = async (
  { client }: Target,
  request: RestoreRequest,
  { database, epochs }: { readonly database: Manifest['database']; readonly epochs: Epochs },
  report: Report,
): Promise<void> => {
  if (!database) return report.note('Tables       left out: services fill them from the log when they start');
  await loadDatabase(client, {
    folder: request.folder,
    database,
    epochs,
    note: (done, of, table) => report.moving(`Tables: ${done} of ${of}, ${table}`),
  });
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  report.done('Tables', `${counted(database.tables.length, 'table')}, ${counted(rows, 'row')}`);
};

const restoreArt = async ({ nats }: Target, request: RestoreRequest, { pictures }: Manifest, report: Report): Promise<number> => {
  if (!pictures || !request.pictures) return 0;
  if (request.art === undefined) {
    report.note('Pictures     left out: the data folder is not known; name it with --data and restore again, or copy "art" there');
    return 0;
  }
  const store = await openServerArt(request.art, nats);
  try {
    const brought = await restorePictures({ store, backup: request.folder }, pictures);
    report.done(
      'Pictures',
      `${formatCount(brought)} of ${counted(pictures.count, 'picture')} brought back, ${formatBytes(pictures.sizeBytes)} in all`,
    );
    return brought;
  } finally {
    await store.close();
  }
};

/** Everything that can be seen before anything is touched. */
const examine = async (request: RestoreRequest, target: Target, report: Report): Promise<{ manifest: Manifest; cuts: Cut | undefined }> => {
  const manifest = await readManifest(request.folder);
  checkRelease(manifest);
  await checkSecret(manifest, request.secrets);
  checkNatsVersion(manifest, target.nats.info?.version ?? '0');
  const damaged = await damagedFiles(request.folder, manifest, report.moving);
  if (damaged.length > 0)
    throw new OperatorError(
      `the backup is damaged: ${damaged.slice(0, 3).join('; ')}`,
      'restore another backup; this target was not touched',
    );
  const cuts = request.until === undefined ? undefined : await cutsFor(request.folder, manifest, request.until);
  if (await checkTarget(target, request.replace)) report.note('An earlier restore was not finished here; it begins anew.');
  report.done('Checks', 'backup and target looked at');
  return { manifest, cuts };
};

/**
 * Puts a backup in the place of whatever of ours the target holds. Nothing is touched before everything was looked at; services do not start over a restore that
 * was not finished, and the same command begins it anew.
 * @throws OperatorError when backup and target do not go together
 */
export const restoreBackup = async (request: RestoreRequest, report: Report): Promise<void> => {
  const target = await connectTarget(request.access);
  try {
    const { manifest, cuts } = await examine(request, target, report);
    await beginRestore(target.client, manifest.id);
    await clearTarget(target);
    const streamTarget = { nats: target.nats, manager: target.manager, replicas: request.replicas };
    const { streams, epochs } = await restoreStreams(streamTarget, request, { manifest, cuts }, report);
    const destroyed = await destroyKeys(streamTarget, request.deletions);
    // Tables hold names as they can be read; those of an earlier or smaller truth are filled from the log.
    const fromLog = cuts !== undefined || destroyed.length > 0 || !request.database;
    await restoreTables(target, request, { database: fromLog ? undefined : manifest.database, epochs }, report);
    const pictures = await restoreArt(target, request, manifest, report);
    await endRestore(target.client);
    report.end(
      conclusion(manifest, request, destroyed),
      factsOf({ manifest, streams, pictures, destroyed, tables: fromLog ? 0 : (manifest.database?.tables.length ?? 0) }),
    );
  } finally {
    await target.close();
  }
};

const conclusion = (manifest: Manifest, { until }: RestoreRequest, destroyed: readonly number[]): string[] => [
  until === undefined
    ? `The backup of ${manifest.startedAt} is restored.`
    : `What had happened until ${until} is restored, out of the backup of ${manifest.startedAt}.`,
  ...(destroyed.length === 0
    ? []
    : [
        `Keys of ${counted(destroyed.length, 'deleted account')} (${destroyed.join(', ')}) are destroyed again. Once the server runs, "continuo user delete" deletes the accounts.`,
      ]),
  'Start the services now; "continuo doctor" tells how they are.',
];

interface Outcome {
  readonly manifest: Manifest;
  readonly streams: ReadonlyMap<string, RestoredStream>;
  readonly pictures: number;
  readonly destroyed: readonly number[];
  readonly tables: number;
}

const factsOf = ({ manifest, streams, pictures, destroyed, tables }: Outcome): Record<string, unknown> => ({
  id: manifest.id,
  startedAt: manifest.startedAt,
  tables,
  pictures,
  deletedAgain: destroyed,
  streams: Object.fromEntries(
    EVENT_STREAMS.map((name) => [name, { messages: streams.get(name)?.messages ?? 0, lastPosition: streams.get(name)?.lastPosition ?? 0 }]),
  ),
});
