/** Settings of a test server; the rest is Postgres's own default. */
export interface PostgresSettings {
  readonly port: number;
  /** false only in tests: a power cut may then cost the data. */
  readonly durable: boolean;
  /** Whether it listens on a Unix socket in the data folder, beside TCP. */
  readonly hasSocket?: boolean;
  /** Memory for pages of the database, MB. */
  readonly sharedBuffersMb: number;
  /** False before version 18. */
  readonly hasIoMethod?: boolean;
}

/** The server's own way to its data folder: it may not be allowed to enter the folders above. */
const DATA_FOLDER = '.';

const base = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  effective_cache_size: '512MB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  // A sample of 9,000 rows instead of 30,000: songs are long rows, and Postgres holds the whole sample in memory.
  default_statistics_target: '30',
  max_wal_size: '1GB',
  random_page_cost: '1.1',
  // Each look for tables to clean up begins a process for each database, and that is most of what a Postgres at rest does.
  autovacuum_naptime: '3min',
  // One process for a replication that nobody has is memory for nothing beside one server's library.
  max_logical_replication_workers: '0',
  // Compiling plans costs more than our short queries.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The ready line and the log must come on stderr, where we read them.
  logging_collector: 'off',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  password_encryption: 'scram-sha-256',
};

const unsafe = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const MB = 1024 * 1024;
const SMALLEST_MB = 16;
const LARGEST_MB = 512;

/** Memory for pages of a database of this size, MB: an eighth of it holds the indexes that are written to, and of the machine's memory it gets a sixteenth at most. */
export function pagesMemoryMb(databaseBytes: number, memoryBytes: number): number {
  return Math.max(SMALLEST_MB, Math.floor(Math.min(databaseBytes / 8, memoryBytes / 16, LARGEST_MB * MB) / MB));
}

/** Command line arguments of `postgres` for these settings, without the data folder. */
export function settingArguments({ port, durable, hasSocket = false, sharedBuffersMb, hasIoMethod = true }: PostgresSettings): string[] {
  const settings = {
    ...base,
    // Three processes that read ahead are memory for nothing, too.
    ...(hasIoMethod ? { io_method: 'sync' } : {}),
    ...(durable ? {} : unsafe),
    shared_buffers: `${sharedBuffersMb}MB`,
    port: String(port),
    unix_socket_directories: hasSocket ? DATA_FOLDER : '',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
