import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { productVersion, publishedEvents } from '@continuo/chassis';
import type { ArtConfig } from '@continuo/media-store';
import { OperatorError } from '../connect/operator-error.js';
import type { Access } from '../connect/locate.js';
import { openNats } from '../connect/session.js';
import { counted, formatBytes } from '../output/numbers.js';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { openServerArt } from '../art/server-art.js';
import { PRIVATE_FILE, PRIVATE_FOLDER, type FileEntry } from './format/files.js';
import { BACKUP_FORMAT, readManifest, writeManifest, type Manifest, type StreamEntry } from './format/manifest.js';
import { checkOfSecret } from './format/secret-check.js';
import { backupPictures } from './pictures/pictures.js';
import { dumpDatabase } from './postgres/dump-database.js';
import type { Report } from './report.js';
import { backupStream, consumersOf, deletedAccounts, streamsOf, type StreamSource } from './streams/backup-streams.js';
import { EVENT_STREAMS } from './streams/known-streams.js';
import { requireWholeLog } from './streams/require-whole-log.js';

/** Options of a backup. */
export interface BackupRequest {
  readonly access: Access;
  /** Settings of the picture store; undefined where its folder is not known. */
  readonly art: ArtConfig | undefined;
  readonly secret: string;
  readonly folder: string;
  readonly database: boolean;
  readonly pictures: boolean;
  readonly earlier: string | undefined;
}

/** File that marks a folder in which a backup is being written. */
const UNFINISHED = 'unfinished';

/** Makes the folder, or empties one in which an earlier backup was not finished. @throws OperatorError when it holds anything else */
const prepareFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const there = await readdir(folder);
  if (there.includes('manifest.json')) throw new OperatorError(`${folder} holds a backup already`, 'name a new folder for each backup');
  if (there.length > 0 && !there.includes(UNFINISHED))
    throw new OperatorError(`${folder} holds other files`, 'name a folder that is empty or not there yet');
  await writeFile(
    join(folder, UNFINISHED),
    'A backup is being written here, or was not finished. "continuo backup" into this folder begins anew.\n',
    { mode: PRIVATE_FILE },
  );
  for (const name of there) if (name !== UNFINISHED) await rm(join(folder, name), { recursive: true });
};

const knownEvents = (): Record<string, number> => Object.fromEntries(publishedEvents().map(({ type, v }) => [type, v]));

const backupTables = async ({ access, folder, database }: BackupRequest, report: Report): Promise<Manifest['database']> => {
  if (!database) return undefined;
  const entry = await dumpDatabase(access.databaseUrl, folder, (done, of, table) => report.moving(`Tables: ${done} of ${of}, ${table}`));
  const rows = entry.tables.reduce((sum, table) => sum + table.rows, 0);
  const sizeBytes = entry.tables.reduce((sum, { file }) => sum + file.sizeBytes, entry.definitions.sizeBytes);
  report.done('Tables', `${counted(entry.tables.length, 'table')}, ${counted(rows, 'row')}, ${formatBytes(sizeBytes)}`);
  return entry;
};

const backupStreams = async (source: StreamSource, folder: string, report: Report): Promise<StreamEntry[]> => {
  const names = await streamsOf(source);
  const missing = EVENT_STREAMS.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new OperatorError(`the server has no ${missing.join(', ')}`, 'have all services started? "continuo doctor" tells more');
  const consumers = new Map<string, StreamEntry['consumers']>();
  for (const name of names) consumers.set(name, await consumersOf(source, name));
  const entries: StreamEntry[] = [];
  for (const name of names) {
    report.moving(`Streams: ${entries.length} of ${names.length}, ${name}`);
    entries.push(await backupStream(source, folder, { name, consumers: consumers.get(name) ?? [] }));
  }
  const messages = entries.reduce((sum, { state }) => sum + state.messages, 0);
  report.done(
    'Streams',
    `${counted(names.length, 'stream')}, ${counted(messages, 'message')}, ${formatBytes(sizeOf(filesOfStreams(entries)))}`,
  );
  return entries;
};

const filesOfStreams = (streams: readonly StreamEntry[]): FileEntry[] =>
  streams.flatMap(({ snapshot, index }) => (index ? [snapshot, index] : [snapshot]));
const sizeOf = (files: readonly FileEntry[]): number => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** Every file that the manifest names, without the pictures themselves. */
export const filesOf = ({ database, streams, pictures }: Manifest): FileEntry[] => [
  ...(database ? [database.definitions, ...database.tables.map(({ file }) => file)] : []),
  ...filesOfStreams(streams),
  ...(pictures ? [pictures.list] : []),
];

const backupArt = async (
  nats: NatsConnection,
  { art, folder, pictures, earlier }: BackupRequest,
  report: Report,
): Promise<Manifest['pictures']> => {
  if (!pictures) return undefined;
  if (art === undefined)
    throw new OperatorError(
      'the folder of the pictures is not known',
      'name the data folder of the services with --data, or leave the pictures out with "--without-pictures"',
    );
  const store = await openServerArt(art, nats);
  try {
    const entry = await backupPictures({ store, backup: folder, earlier });
    report.done('Pictures', `${counted(entry.count, 'picture')}, ${formatBytes(entry.sizeBytes)}`);
    return entry;
  } finally {
    await store.close();
  }
};

/**
 * Writes a backup of a running server: first the tables, then the streams, then the pictures, so that nothing in the backup speaks of what it does not hold.
 * @throws OperatorError when the folder is in use, the log is damaged, or the server holds what would be left out
 */
export const takeBackup = async (request: BackupRequest, report: Report): Promise<Manifest> => {
  const startedAt = new Date().toISOString();
  const folder = resolve(request.folder);
  if (request.earlier !== undefined) await readManifest(request.earlier);
  const nats = await openNats(request.access);
  try {
    const source = { nats, manager: await jetstreamManager(nats) };
    await requireWholeLog(source.manager, await streamsOf(source));
    await prepareFolder(folder);
    const secret = await checkOfSecret(request.secret);
    const database = await backupTables({ ...request, folder }, report);
    const streams = await backupStreams(source, folder, report);
    const pictures = await backupArt(nats, { ...request, folder }, report);
    const manifest: Manifest = {
      format: BACKUP_FORMAT,
      id: randomUUID(),
      product: { name: 'continuo', version: productVersion },
      startedAt,
      finishedAt: new Date().toISOString(),
      secret,
      events: knownEvents(),
      nats: nats.info?.version ?? '',
      ...(database && { database }),
      streams,
      ...(pictures && { pictures }),
      deletedAccounts: await deletedAccounts(source),
    };
    await writeManifest(folder, manifest);
    await rm(join(folder, UNFINISHED));
    report.end(
      [`Backup of ${startedAt} in ${folder}: ${formatBytes(sizeOf(filesOf(manifest)) + (pictures?.sizeBytes ?? 0))}.`, KEEP_SECRET],
      factsOf(folder, manifest),
    );
    return manifest;
  } finally {
    await nats.close();
  }
};

const KEEP_SECRET = 'The secret of the server (CONTINUO_SECRET, or the file "secret" of the data folder) is not in it: keep it elsewhere.';

const factsOf = (folder: string, manifest: Manifest): Record<string, unknown> => ({
  folder,
  id: manifest.id,
  startedAt: manifest.startedAt,
  finishedAt: manifest.finishedAt,
  sizeBytes: sizeOf(filesOf(manifest)) + (manifest.pictures?.sizeBytes ?? 0),
  tables: manifest.database?.tables.length ?? 0,
  rows: manifest.database?.tables.reduce((sum, { rows }) => sum + rows, 0) ?? 0,
  streams: Object.fromEntries(
    manifest.streams.map(({ name, state }) => [name, { messages: state.messages, lastPosition: state.last_seq }]),
  ),
  pictures: manifest.pictures?.count ?? 0,
});
