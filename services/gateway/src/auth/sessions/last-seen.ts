import type { UserId } from '@continuo/contracts';

/** When accounts were last seen. */
export interface LastSeen {
  /** Notes that an account was seen now. Costs nothing: what is noted is written beside the requests, once a minute at most. */
  note(id: UserId): void;
  /** When an account was last seen, epoch milliseconds; undefined when it never was. */
  atMs(id: UserId): number | undefined;
  /** As {@link LastSeen.note}, of an API key. */
  noteKey(keyId: string): void;
  /** When an API key was last used, epoch milliseconds, to the minute; undefined when it never was, or before it was kept. */
  keyAtMs(keyId: string): number | undefined;
}
