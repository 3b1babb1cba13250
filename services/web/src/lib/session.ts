import { OFFLINE_CACHE } from './offline-address.js';

/** Access token of the page and what goes with it, as the server sends it. */
interface Access {
  readonly token: string;
  readonly expires_at_ms: number;
  readonly csrf_token: string;
}

/** Nobody is signed in in this browser. */
export class SignedOutError extends Error {
  constructor() {
    super('Nobody is signed in.');
  }
}

/** A token that ends so soon is renewed first, ms. */
const SPARE_MS = 60_000;

/**
 * The session that the cookie of the account page holds. Its cookie cannot be read here; it renews the access token, which stays in memory.
 */
export class PageSession {
  #access: Access | undefined;
  #asking: Promise<Access> | undefined;

  /** @param base address of the server, ending with a slash */
  constructor(readonly base: string) {}

  /** Value of the `Authorization` header. @throws SignedOutError */
  readonly authorization = async (): Promise<string> => `Bearer ${(await this.#current()).token}`;

  /** Forgets the token, such as after the server has refused it. */
  forget(): void {
    this.#access = undefined;
  }

  /** Opens the sign-in page, which comes back here. */
  signIn(): void {
    sessionStorage.setItem(RETURN, location.hash);
    location.assign(`${this.base}account/login?return=1`);
  }

  /** Returns to the view that was open before the sign-in. */
  resume(): void {
    const view = sessionStorage.getItem(RETURN);
    sessionStorage.removeItem(RETURN);
    if (view && location.hash === '') history.replaceState(null, '', view);
  }

  /** Signs out here and, for sessions that began there, at the identity provider. */
  async signOut(): Promise<void> {
    const { csrf_token: csrfToken } = await this.#current();
    // What was kept is this account's: the next one may not be allowed to hear it.
    if ('caches' in globalThis) await caches.delete(OFFLINE_CACHE);
    const form = document.createElement('form');
    form.method = 'post';
    form.action = `${this.base}account/logout`;
    for (const [name, value] of [
      ['mark', csrfToken],
      ['return', '1'],
    ] as const)
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
    document.body.append(form);
    form.submit();
  }

  #current(): Promise<Access> {
    if (this.#access && this.#access.expires_at_ms - SPARE_MS > Date.now()) return Promise.resolve(this.#access);
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #ask(): Promise<Access> {
    const response = await fetch(`${this.base}account/token`, { method: 'POST' });
    if (response.status === 401) throw new SignedOutError();
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    this.#access = (await response.json()) as Access;
    return this.#access;
  }
}

const RETURN = 'continuo-view';

/** Address of this server, ending with a slash. */
export const base = new URL('./', document.baseURI).href;

/** The session of this page. */
export const session = new PageSession(base);

/** Whether the server answers at all. */
export const isThere = (): Promise<boolean> =>
  fetch(base, { method: 'HEAD' }).then(
    () => true,
    () => false,
  );
