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

/** Key of the view that was open before the sign-in. */
const RETURN = 'continuo-view';

/** Address of this server, ending with a slash. */
export const base = new URL('./', document.baseURI).href;

let access: Access | undefined;
let asking: Promise<Access> | undefined;

const ask = async (): Promise<Access> => {
  const response = await fetch(`${base}account/token`, { method: 'POST' });
  if (response.status === 401) throw new SignedOutError();
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  access = (await response.json()) as Access;
  return access;
};

const current = async (): Promise<Access> => {
  if (access && access.expires_at_ms - SPARE_MS > Date.now()) return access;
  asking ??= ask().finally(() => (asking = undefined));
  return asking;
};

/** Sends a form to the account page in the name of the session. The browser shows the answer in place of the page, or saves it. @throws SignedOutError */
const sendForm = async (name: string, fields: Readonly<Record<string, string>>): Promise<void> => {
  const { csrf_token: csrfToken } = await current();
  const form = Object.assign(document.createElement('form'), { method: 'post', action: `${base}account/${name}`, hidden: true });
  for (const [field, value] of Object.entries({ mark: csrfToken, ...fields }))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: field, value }));
  document.body.append(form);
  form.submit();
  form.remove();
};

/** The session that the cookie of the account page holds. Its cookie cannot be read here; it renews the access token, which stays in memory. */
export const session = {
  /** Value of the `Authorization` header. @throws SignedOutError */
  authorization: async (): Promise<string> => `Bearer ${(await current()).token}`,

  /** Forgets the token, such as after the server has refused it. */
  forget: (): void => {
    access = undefined;
  },

  /** Opens the sign-in page, which comes back here. */
  signIn: (): void => {
    sessionStorage.setItem(RETURN, location.hash);
    location.assign(`${base}account/login?return=1`);
  },

  /** Returns to the view that was open before the sign-in. */
  resume: (): void => {
    const view = sessionStorage.getItem(RETURN);
    sessionStorage.removeItem(RETURN);
    if (view && location.hash === '') history.replaceState(null, '', view);
  },

  /** Signs out here and, for sessions that began there, at the identity provider. */
  signOut: async (): Promise<void> => {
    // Without an answer of the server nobody is signed out, and nothing is deleted.
    await current();
    // What was kept is this account's: the next one may not be allowed to hear it.
    if ('caches' in globalThis) await caches.delete(OFFLINE_CACHE);
    await sendForm('logout', { return: '1' });
  },

  /** Has the browser save a backup while it comes: it may be larger than memory. */
  saveBackup: (id: string): Promise<void> => sendForm('backup', { id }),
};

/** Whether the server answers at all. */
export const isThere = (): Promise<boolean> =>
  fetch(base, { method: 'HEAD' }).then(
    () => true,
    () => false,
  );
