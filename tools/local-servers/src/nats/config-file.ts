/** Settings of a server's configuration file; the rest is NATS's own default. */
export interface NatsSettings {
  readonly storeDir: string;
  /** -1 lets the server choose a free port. */
  readonly port: number;
  readonly pidFile: string;
  readonly syncAlways: boolean;
  readonly maxPayloadBytes: number;
  /** Most that all streams may take, bytes; the server's own guess from the free space when left out. */
  readonly maxFileStoreBytes?: number | undefined;
  readonly login?: { readonly user: string; readonly password: string } | undefined;
}

/** The configuration file of a single server with JetStream on 127.0.0.1. */
export function configText(settings: NatsSettings): string {
  const text = JSON.stringify; // NATS reads JSON strings, escapes included.
  const { login } = settings;
  return [
    '# Written by Continuo on each start; changes are lost.',
    'server_name: continuo',
    `listen: ${text(`127.0.0.1:${settings.port}`)}`,
    `pid_file: ${text(settings.pidFile)}`,
    `max_payload: ${settings.maxPayloadBytes}`,
    'jetstream {',
    `  store_dir: ${text(settings.storeDir)}`,
    ...(settings.maxFileStoreBytes === undefined ? [] : [`  max_file_store: ${settings.maxFileStoreBytes}`]),
    ...(settings.syncAlways ? ['  # A publish is acknowledged only when it is on disk.', '  sync_interval: always'] : []),
    '}',
    ...(login ? ['authorization {', `  user: ${text(login.user)}`, `  password: ${text(login.password)}`, '}'] : []),
    '',
  ].join('\n');
}
