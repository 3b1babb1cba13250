import type { SessionKey } from '../../src/auth/sessions/session-key.js';
import type { NewSession, SessionRecord, SessionStore } from '../../src/auth/sessions/session-store.js';

/** Options of the in-memory store. */
export interface InMemorySessionsOptions {
  readonly now: () => number;
  /** Lifetime after the last use; 0 = for ever. */
  readonly lifetimeMs: number;
  /** Given to several stores, it stands for the bucket that they share. */
  readonly shared?: Map<SessionKey, SessionRecord>;
}

/** Sessions in memory, for specs; kept honest by the contract suite that also runs on JetStream. */
export const inMemorySessions = ({ now, lifetimeMs, shared = new Map() }: InMemorySessionsOptions): SessionStore => {
  const expiry = (): number | null => (lifetimeMs === 0 ? null : now() + lifetimeMs);
  const put = (key: SessionKey, session: NewSession): SessionRecord => {
    const record = { ...session, expiresAtMs: expiry() };
    shared.set(key, record);
    return record;
  };
  const peek = (key: SessionKey): SessionRecord | undefined => {
    const record = shared.get(key);
    return record && (record.expiresAtMs === null || record.expiresAtMs > now()) ? record : undefined;
  };
  const versions = new Map<SessionKey, string>();
  const drop = (key: SessionKey): void => {
    const record = shared.get(key);
    if (record) versions.set(key, record.version);
    shared.delete(key);
  };
  return {
    versionOf: (key) => shared.get(key)?.version ?? versions.get(key),
    open: async (key, session) => put(key, session),
    openBehind: put,
    peek,
    count: () => [...shared.keys()].filter((key) => peek(key) !== undefined).length,
    find: async (key) => peek(key),
    extend: (key, always = false) => {
      const record = peek(key);
      if (!record) return undefined;
      const due = always || (record.expiresAtMs ?? 0) + lifetimeMs / 10 <= now() + lifetimeMs;
      return due ? put(key, record) : record;
    },
    setVersion: async (key, version) => {
      const record = peek(key);
      return record && put(key, { ...record, version });
    },
    end: async (key) => {
      const ended = peek(key) !== undefined;
      drop(key);
      return ended;
    },
    ofUser: (userId) => [...shared].filter(([key, record]) => record.userId === userId && peek(key) !== undefined),
    endWhere: async (isOver) => {
      const over = [...shared].filter(([, record]) => isOver(record));
      for (const [key] of over) drop(key);
      return over.length;
    },
    close: () => Promise.resolve(),
  };
};
