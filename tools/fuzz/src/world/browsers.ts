import type { AccountName, FuzzAccount } from './accounts.js';

/** Cookie and CSRF token of a session on the account page. */
export interface BrowserSession {
  readonly cookie: string;
  /** CSRF token of its forms. */
  readonly mark: string;
}

const cookiesOf = (answer: Response): Map<string, string> =>
  new Map(
    answer.headers.getSetCookie().flatMap((line) => {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      return pair.length > at + 1 ? [[pair.slice(0, at), pair.slice(at + 1)] as const] : [];
    }),
  );

const headerOf = (cookies: ReadonlyMap<string, string>): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
const markIn = (page: string): string => /name="mark"\s+value="(?<mark>[0-9a-f]+)"/.exec(page)?.groups?.['mark'] ?? '';

/** Signs an account in on the page. @throws Error when the page does not let it in */
export const signIn = async (url: string, { username, password }: FuzzAccount): Promise<BrowserSession> => {
  const before = await fetch(`${url}/account/login`);
  const cookies = cookiesOf(before);
  const body = new URLSearchParams({ mark: markIn(await before.text()), username, password });
  const answer = await fetch(`${url}/account/login`, { method: 'POST', redirect: 'manual', headers: { cookie: headerOf(cookies) }, body });
  await answer.arrayBuffer();
  for (const [name, value] of cookiesOf(answer)) cookies.set(name, value);
  const cookie = headerOf(cookies);
  if (answer.status !== 303 || !cookies.has('continuo')) throw new Error(`${username} cannot sign in on the page: ${answer.status}`);
  return { cookie, mark: markIn(await (await fetch(`${url}/account/me`, { headers: { cookie } })).text()) };
};

/** Sessions of all accounts on the account's page. */
export const signInAll = async (
  url: string,
  callers: Readonly<Record<AccountName, FuzzAccount>>,
): Promise<ReadonlyMap<string, BrowserSession>> => {
  const sessions = new Map<string, BrowserSession>();
  for (const [name, account] of Object.entries(callers)) sessions.set(name, await signIn(url, account));
  return sessions;
};
