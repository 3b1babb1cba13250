import { LOG_PROBE_STREAM, REACTION_STREAM } from '@continuo/chassis';
import { DEAD_LETTER_STREAM, eventStreams, jobStreams } from '@continuo/contracts';

/** The stream under a JetStream bucket. */
export const streamOfBucket = (bucket: string): string => `KV_${bucket}`;

/** Buckets that belong to a backup. */
export const BUCKETS = {
  /** Without them nobody can read what people are called, not even the server. */
  keys: 'pii_keys',
  /** The earlier secrets of the server, sealed. */
  secrets: 'server_secrets',
  /** Cursor of each scrobble relay: without it, all plays would be sent again. */
  relayCursors: 'relay_cursors',
  /** Clients stay signed in. */
  sessions: 'sessions',
  lastSeen: 'last_seen',
  /** Goes with the queues: how often a job was handed back. */
  handbacks: 'job_handbacks',
} as const;

/** Streams that are left out: failed logins count for minutes, what was playing plays no more, answers, long work and load of the management API are of a server's own, and probes only try whether the log can be written. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['login_failures', 'now_playing', 'manage_idempotency', 'manage_work', 'load_history'].map(streamOfBucket),
  LOG_PROBE_STREAM,
]);

/**
 * Event streams, those first that speak of things in later ones: whatever an event names is in the backup too, although writing goes on while one stream
 * after the other is read.
 */
export const EVENT_STREAMS: readonly string[] = [
  eventStreams.transcode,
  eventStreams.sonic,
  eventStreams.ingest,
  eventStreams.playback,
  eventStreams.social,
  eventStreams.library,
  eventStreams.identity,
];

/** Queues: before the logs, so that work whose outcome may be missing is done again rather than lost. */
export const QUEUES: readonly string[] = [...Object.values(jobStreams), REACTION_STREAM, DEAD_LETTER_STREAM];

/**
 * All streams of a backup in the order in which they are read. Cursors come before the log that they point into; keys last, since a key is there before the first event
 * that needs it.
 */
export const STREAMS_IN_ORDER: readonly string[] = [
  ...QUEUES,
  ...[BUCKETS.handbacks, BUCKETS.relayCursors].map(streamOfBucket),
  ...EVENT_STREAMS,
  ...[BUCKETS.sessions, BUCKETS.lastSeen, BUCKETS.secrets, BUCKETS.keys].map(streamOfBucket),
];
