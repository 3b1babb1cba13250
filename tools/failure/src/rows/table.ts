import { killBatches } from '../batches/kill-batches.js';
import { killDownloads } from '../downloads/kill-downloads.js';
import { killScan } from '../scans/kill-scan.js';
import { killTranscodes } from '../transcodes/kill-transcodes.js';
import { cacheDiskFull } from './cache-full.js';
import { clockJumps } from './clock-jump.js';
import { natsDiskFull, postgresDiskFull } from './disk-full.js';
import { gatewayDies } from './gateway.js';
import { handlerAfterAppend, handlerAfterWindow, handlerBeforeAppend } from './handlers.js';
import { killPlays, killWrites } from './kills.js';
import { meilisearchDies } from './meilisearch.js';
import { natsOfThree } from './nats-of-three.js';
import { partitionOfNats } from './partition.js';
import { postgresFailsOver, postgresFailsOverBehind } from './postgres-failover.js';
import { postgresLost } from './postgres-lost.js';
import { allPower } from './power.js';
import { projectorPaused, projectorsDie } from './projectors.js';
import type { Row } from './row.js';
import { slowPostgres } from './slow-postgres.js';
import { transcoderDies } from './transcoder.js';

/** Failure table of the architecture, each row with the scenario that proves it. */
export const rows: readonly Row[] = [
  {
    name: 'handler-before-append',
    event: 'a handler dies before its append',
    by: 'the caller retries the same command id',
    needs: [],
    rounds: 4,
    testRounds: 2,
    run: handlerBeforeAppend,
  },
  {
    name: 'handler-after-append',
    event: 'a handler dies after its append, before its answer',
    by: 'message ids',
    needs: [],
    rounds: 4,
    run: handlerAfterAppend,
  },
  {
    name: 'handler-after-window',
    event: 'the same, and the caller comes again when the message ids are forgotten',
    by: 'expected positions and the command id in the events',
    needs: [],
    rounds: 4,
    testRounds: 2,
    isInShortForm: true,
    run: handlerAfterWindow,
  },
  {
    name: 'projectors',
    event: 'the projector dies, or all of them do',
    by: 'rows and checkpoint in one transaction',
    needs: [],
    rounds: 6,
    run: projectorsDie,
  },
  {
    name: 'projector-paused',
    event: 'a projector stands still within a transaction and comes back after another one has taken over',
    by: 'the fence in the checkpoint',
    needs: [],
    rounds: 3,
    testRounds: 1,
    run: projectorPaused,
  },
  {
    name: 'nats-of-three',
    event: 'one of three NATS servers dies, the leader first',
    by: 'three copies, retries through the election',
    needs: [],
    rounds: 6,
    testRounds: 1,
    run: natsOfThree,
  },
  {
    name: 'postgres-failover',
    event: 'Postgres dies, its synchronous standby takes its address',
    by: 'every service starts again on another history of the tables',
    needs: ['ffmpeg'],
    rounds: 1,
    run: postgresFailsOver,
  },
  {
    name: 'postgres-failover-behind',
    event: 'Postgres dies, its standby lacks the last transactions',
    by: 'every service starts again, the registry of ids is restored before it gives any',
    needs: ['ffmpeg'],
    rounds: 1,
    testRounds: 1,
    run: postgresFailsOverBehind,
  },
  {
    name: 'postgres-lost',
    event: 'Postgres is gone for good, an empty one takes its place',
    by: 'everything is rebuilt from the streams',
    needs: [],
    rounds: 2,
    testRounds: 1,
    run: postgresLost,
  },
  {
    name: 'power',
    event: 'all power is gone, and with it what was not written through to the disk',
    by: 'NATS writes through before it acknowledges',
    needs: ['loop'],
    rounds: 4,
    testRounds: 1,
    isInShortForm: true,
    run: allPower,
  },
  {
    name: 'partition',
    event: 'one of three NATS servers is cut off: from the others, in one direction, from everybody',
    by: 'a majority writes; who is connected to the one that is cut off moves on',
    needs: ['namespaces', 'iptables'],
    rounds: 4,
    testRounds: 1,
    run: partitionOfNats,
  },
  {
    name: 'transcoder',
    event: 'a transcoder dies while somebody listens to what it makes',
    by: 'a place of its own per transcode, finished by renaming; the client asks again',
    needs: ['ffmpeg'],
    rounds: 3,
    run: transcoderDies,
  },
  {
    name: 'gateway',
    event: 'a gateway dies with open responses',
    by: 'the client goes on at any other',
    needs: ['ffmpeg'],
    rounds: 4,
    run: gatewayDies,
  },
  {
    name: 'meilisearch',
    event: 'Meilisearch dies, or loses what it had',
    by: 'Postgres answers meanwhile; its own checkpoint',
    needs: [],
    rounds: 2,
    run: meilisearchDies,
  },
  {
    name: 'slow-postgres',
    event: 'Postgres is slow, then hangs, then is back',
    by: 'bounded pools and waits',
    needs: [],
    rounds: 1,
    run: slowPostgres,
  },
  {
    name: 'disk-full-nats',
    event: 'the disk of the event log is full for a while',
    by: 'appends stop before the disk does; NATS is started again after a write that the disk refused',
    needs: ['tmpfs'],
    rounds: 5,
    testRounds: 1,
    isInShortForm: true,
    run: natsDiskFull,
  },
  {
    name: 'disk-full-postgres',
    event: 'the disk of the database is full for a while',
    by: 'the log is the truth; projections go on from their checkpoint',
    needs: ['tmpfs'],
    rounds: 1,
    run: postgresDiskFull,
  },
  {
    name: 'disk-full-cache',
    event: 'the disk of the transcode cache is full, before a transcode and in the middle of one',
    by: 'listeners get it through memory; only whole files are kept',
    needs: ['tmpfs', 'ffmpeg'],
    rounds: 2,
    testRounds: 1,
    run: cacheDiskFull,
  },
  {
    name: 'clock-jump',
    event: 'the wall clock of a service jumps forward and back by an hour',
    by: 'the order is the position in the log; waits are measured, not read off the clock',
    needs: ['faketime'],
    rounds: 1,
    run: clockJumps,
  },
  {
    name: 'kill-scan',
    event: 'processes are killed during scans of real files',
    by: 'jobs that are handed out again; natural keys',
    needs: ['ffmpeg'],
    rounds: 20,
    testRounds: 2,
    isInShortForm: true,
    testFigures: ['files'],
    run: killScan,
  },
  {
    name: 'kill-writes',
    event: 'processes are killed while writers send folders',
    by: 'message ids, expected positions, rows and checkpoint in one transaction',
    needs: [],
    rounds: 20,
    testRounds: 3,
    isInShortForm: true,
    run: killWrites,
  },
  {
    name: 'kill-plays',
    event: 'processes are killed while listeners play, skip and send lists',
    by: 'message ids, expected positions, rows and checkpoint in one transaction',
    needs: [],
    rounds: 20,
    testRounds: 2,
    isInShortForm: true,
    run: killPlays,
  },
  {
    name: 'kill-transcodes',
    event: 'processes are killed while media are made ahead',
    by: 'files are finished by renaming; jobs are handed out again',
    needs: ['ffmpeg'],
    rounds: 18,
    testRounds: 2,
    run: killTranscodes,
  },
  {
    name: 'kill-downloads',
    event: 'processes are killed while files of podcasts are fetched',
    by: 'a download goes on where another one stopped',
    needs: ['ffmpeg'],
    rounds: 18,
    testRounds: 6,
    testFigures: ['continued'],
    run: killDownloads,
  },
  {
    name: 'kill-batches',
    event: 'NATS is killed while atomic batches are written',
    by: 'NATS writes a batch as a whole',
    needs: [],
    rounds: 40,
    testRounds: 2,
    isInShortForm: true,
    run: killBatches,
  },
];
