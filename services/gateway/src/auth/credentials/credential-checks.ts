import type { AuthRequest, CredentialCheck } from '../auth.js';
import type { LoginThrottle } from '../throttle/login-throttle.js';
import { tooManyLogins } from '../throttle/too-many.js';

/** Result of a credential check: what the credential opens, nothing, or a delay while there were too many failures. */
export type CheckResult<T> = { readonly found: T | undefined; readonly delayMs: 0 } | { readonly delayMs: number };

/**
 * Checks credentials of every kind and counts the wrong ones, in one throttle for all addresses of the server. The throttle is asked after the credential was looked up, so that
 * the answer during a delay is the same for right and wrong ones.
 */
export class CredentialChecks {
  constructor(
    private readonly throttle: LoginThrottle,
    private readonly addressOf: (request: Pick<AuthRequest, 'headers' | 'peerAddress'>) => string,
  ) {}

  /** Checks one credential, counting it when it is wrong. */
  async result<T>(request: AuthRequest, { username, find, isOver, holderOf }: CredentialCheck<T>): Promise<CheckResult<T>> {
    const found = await find();
    const holder = found === undefined ? undefined : holderOf(found);
    if (holder === 'unguessable') return { found, delayMs: 0 };
    if (found === undefined && isOver?.() === true) return { found, delayMs: 0 };
    const attempt = {
      address: this.addressOf(request),
      ...(username === undefined ? {} : { username }),
      ...(holder === undefined ? {} : { keyId: holder.keyId }),
    };
    const delayMs = this.throttle.delayMs(attempt);
    if (delayMs > 0) return { delayMs };
    if (found === undefined) await this.throttle.failed(attempt);
    else this.throttle.succeeded(attempt);
    return { found, delayMs: 0 };
  }

  /**
   * As {@link CredentialChecks.result}; undefined for a credential that opens nothing.
   * @throws Rejection `auth.throttled`
   */
  async check<T>(request: AuthRequest, check: CredentialCheck<T>): Promise<T | undefined> {
    const result = await this.result(request, check);
    if (!('found' in result)) throw tooManyLogins(result.delayMs);
    return result.found;
  }

  /**
   * Refuses before a costly check what would be refused after it.
   * @throws Rejection `auth.throttled`
   */
  requireNoDelay(request: AuthRequest, username?: string): void {
    const delayMs = this.throttle.delayMs({ address: this.addressOf(request), ...(username === undefined ? {} : { username }) });
    if (delayMs > 0) throw tooManyLogins(delayMs);
  }
}
