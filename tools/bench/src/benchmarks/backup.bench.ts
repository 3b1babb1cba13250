import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startNats, startPostgres } from '@continuo/local-servers';
import { recordPlays, registerUser, type SongId, type UserId } from '@continuo/contracts';
import { connect } from '@nats-io/transport-node';
import { z } from 'zod';
import { undoAtEnd } from '../harness/clean-up.js';
import { runCliProcess, type CliProcess } from '../harness/cli-process.js';
import { startStandaloneOver, type StandaloneProcess } from '../harness/standalone-process.js';
import { differing, streamContents, tableContents } from '../measure/content-digests.js';
import type { Measurement } from '../measure/report.js';

const ACCOUNTS = 20;
const PLAYS_EACH = 1000;
/** Longer than any pause between two writes of a server that nobody uses. */
const REST_MS = 15_000;
const BASE_MS = Date.UTC(2026, 0, 1);
/** Sessions end by themselves, and times of last visits are written by and by. */
const LASTING = /^(EV_|JOBS_|DEAD_LETTERS|REACTIONS|KV_pii_keys|KV_relay_cursors|KV_server_secrets)/;

/** People and what they played, so that every log has something to say. */
const populate = async ({ session }: StandaloneProcess, songs: number): Promise<void> => {
  const accounts: UserId[] = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const { result } = await session.commands.send(registerUser, { username: `backup ${n}`, access: 25 }, session.context(), {
      timeoutMs: 60_000,
    });
    accounts.push(result.userId);
  }
  for (const [n, userId] of accounts.entries()) {
    const plays = Array.from({ length: PLAYS_EACH }, (_, index) => ({
      songId: (1 + ((index * 37 + n * 101) % songs)) as SongId,
      playedAtMs: BASE_MS + (n * PLAYS_EACH + index) * 60_000,
    }));
    const { positions } = await session.commands.send(recordPlays, { userId, client: 'bench', plays }, session.context(), {
      timeoutMs: 60_000,
    });
    await session.watch.waitFor(positions, 60_000);
  }
};

/** Waits until the tables do not change any more: search indexes are told of plays some seconds later. */
const untilAtRest = async ({ session }: StandaloneProcess): Promise<void> => {
  for (let before = await tableContents(session.access.databaseUrl); ;) {
    await delay(REST_MS);
    const now = await tableContents(session.access.databaseUrl);
    if (differing(before, now).length === 0) return;
    before = now;
  }
};

interface Contents {
  readonly tables: Map<string, string>;
  readonly streams: Map<string, string>;
}

/** Reads the contents of a data folder while no server runs over it. */
const contentsOf = async (dataFolder: string): Promise<Contents> => {
  const postgres = await startPostgres({ dataDir: join(dataFolder, 'postgres') });
  const server = await startNats({ storeDir: join(dataFolder, 'nats') });
  const nats = await connect({ servers: server.server, ...(server.login && { user: server.login.user, pass: server.login.password }) });
  try {
    return { tables: await tableContents(postgres.url), streams: await streamContents(nats, LASTING) };
  } finally {
    await nats.close();
    await server.stop();
    await postgres.stop();
  }
};

const sizeSchema = z.object({ sizeBytes: z.number(), rows: z.number(), tables: z.number() });
const megabytes = (bytes: number): number => bytes / 1e6;

const timed = (what: string, { durationMs, peakBytes }: CliProcess): Measurement => ({
  what,
  value: durationMs / 1000,
  unit: 's',
  note: `${Math.round(megabytes(peakBytes))} MB of memory at most`,
});

/** Starts the restored server: how long until it answers, ms. */
const answersAfter = async (dataFolder: string, apiKey: string): Promise<{ readyAfterMs: number; songs: number }> => {
  const server = await startStandaloneOver(dataFolder, apiKey);
  try {
    const answer = await fetch(`${server.url}/server/json.server.php?action=songs&limit=1&auth=${apiKey}`);
    const { total_count } = z.object({ total_count: z.number() }).parse(await answer.json());
    return { readyAfterMs: server.readyAfterMs, songs: total_count };
  } finally {
    await server.stop();
  }
};

/**
 * Backs up a running server, looks the backup through, restores it into an empty folder, and compares every table and every message. The server is at rest meanwhile, so that
 * both have to be the same; it is stopped for the comparison and does not come back.
 */
export const measureBackup = async (server: StandaloneProcess, songs: number): Promise<Measurement[]> => {
  const work = await mkdtemp(join(tmpdir(), 'continuo-bench-backup-'));
  const remove = undoAtEnd(() => rm(work, { recursive: true, force: true }));
  try {
    await populate(server, songs);
    await untilAtRest(server);
    const folder = join(work, 'backup');
    const taken = await runCliProcess(server.dataFolder, 'backup', folder, '--json');
    const { sizeBytes, rows, tables } = sizeSchema.parse(JSON.parse(taken.out));
    const verified = await runCliProcess(server.dataFolder, 'backup', 'verify', folder, '--json');
    await server.halt();
    const data = join(work, 'data');
    await mkdir(data);
    await copyFile(join(server.dataFolder, 'secret'), join(data, 'secret'));
    const restored = await runCliProcess(data, 'restore', folder, '--json');
    const [before, after] = [await contentsOf(server.dataFolder), await contentsOf(data)];
    const otherTables = differing(before.tables, after.tables).filter((name) => name !== 'chassis.after_restore');
    const otherStreams = differing(before.streams, after.streams);
    const fromLog = join(work, 'from-log');
    await mkdir(fromLog);
    await copyFile(join(server.dataFolder, 'secret'), join(fromLog, 'secret'));
    const small = await runCliProcess(fromLog, 'restore', folder, '--without-database', '--json');
    const [answers, answersFromLog] = [await answersAfter(data, server.apiKey), await answersAfter(fromLog, server.apiKey)];
    return [
      timed('backup of the running server', taken),
      {
        what: 'its size',
        value: megabytes(sizeBytes),
        unit: 'MB',
        note: `${rows} rows of ${tables} tables, ${before.streams.size} streams`,
      },
      timed('looking it through', verified),
      timed('restore into an empty folder', restored),
      { what: 'start after it, until it answers', value: answers.readyAfterMs / 1000, unit: 's', note: `${answers.songs} songs` },
      { what: 'tables that differ', value: otherTables.length, unit: 'tables', budget: { atMost: 0 }, note: otherTables.join(', ') },
      { what: 'streams that differ', value: otherStreams.length, unit: 'streams', budget: { atMost: 0 }, note: otherStreams.join(', ') },
      timed('restore of the streams alone', small),
      {
        what: 'start after that, until it answers',
        value: answersFromLog.readyAfterMs / 1000,
        unit: 's',
        note: `${answersFromLog.songs} songs by then`,
      },
    ];
  } finally {
    await remove();
  }
};
