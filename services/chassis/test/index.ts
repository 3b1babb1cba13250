export * from './aggregate-spec.js';
export * from './recording-log.js';
export * from './faulty-proxy.js';
export * from './commands/in-memory-command-client.js';
export * from './event-store/in-memory-event-store.js';
export * from './event-store/no-snapshots.js';
