import { secretSealer, type Sealer, type ServerSecret } from '@continuo/chassis';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { atMost } from '../../../server/at-most.js';

/** Time for a login at the provider, seconds. */
export const PENDING_S = 600;
const REMEMBERED = 10_000;

const pending = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  atMs: z.number(),
  /** Session whose account is to be linked; absent for a login. */
  linksSession: z.string().optional(),
});
/** A pending login at the provider. */
export type PendingLogin = z.infer<typeof pending>;

/**
 * Pending logins, sealed into a cookie of the browser that began them, which prevents login CSRF.
 */
export class PendingLogins {
  private readonly sealer: Sealer;
  private readonly used = new LRUCache<string, true>({ ...atMost(REMEMBERED), ttl: PENDING_S * 1000 });

  constructor(
    secret: ServerSecret,
    private readonly now: () => number,
  ) {
    this.sealer = secretSealer(secret, 'provider-login/v1');
  }

  /** Seals a login into cookie text. */
  seal(login: Omit<PendingLogin, 'atMs'>): string {
    return this.sealer.seal(JSON.stringify({ ...login, atMs: this.now() }));
  }

  /** Takes the login of a cookie, once; undefined when it is forged, expired or already used. */
  take(text: string | undefined): PendingLogin | undefined {
    const login = text === undefined ? undefined : this.open(text);
    if (!login || login.atMs + PENDING_S * 1000 <= this.now() || this.used.has(login.state)) return undefined;
    this.used.set(login.state, true);
    return login;
  }

  private open(text: string): PendingLogin | undefined {
    try {
      return pending.parse(JSON.parse(this.sealer.open(text)));
    } catch {
      // Changed, or sealed under another secret: the same as none.
      return undefined;
    }
  }
}
