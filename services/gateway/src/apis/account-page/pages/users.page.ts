import type { ListedAccount } from '../../../reads/people/account-page.reads.js';
import { html, type Markup } from '../markup.js';
import { pageShell, type Notice, type Shell } from '../page-shell.js';
import { bar } from './account.page.js';
import { day, LEVEL_NUMBERS, levelName } from './words.js';

/** Data of the list of accounts. */
export interface UsersPage {
  readonly csrfToken: string;
  readonly ownId: number;
  readonly accounts: readonly ListedAccount[];
  readonly start: string;
  /** Cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
  readonly lastSeenAtMs: (id: number) => number | undefined;
  /** A key that was just created, shown once. */
  readonly newKey?: { readonly username: string; readonly name: string; readonly key: string } | undefined;
  readonly notice?: Notice | undefined;
}

const hidden = (name: string, value: string | number): Markup => html`<input type="hidden" name="${name}" value="${value}" />`;

const create = ({ csrfToken }: UsersPage): Markup =>
  html`<section class="card">
    <details>
      <summary>New account</summary>
      <form method="post" action="user-create" autocomplete="off">
        ${hidden('mark', csrfToken)}
        <div class="pair">
          <label
            >User name <input name="username" required maxlength="128" autocomplete="off" autocapitalize="none" spellcheck="false"
          /></label>
          <label
            >Level
            <select name="access">
              ${LEVEL_NUMBERS.map((level) => html`<option value="${level}" ${level === 25 ? html` selected` : ''}>${levelName(level)}</option>`)}
            </select></label
          >
          <label>Mail address <input name="email" type="email" maxlength="255" autocomplete="off" /></label>
          <label>Full name <input name="fullname" maxlength="255" autocomplete="off" /></label>
          <label
            >Password <input name="password" type="password" required minlength="8" maxlength="1024" autocomplete="new-password"
          /></label>
          <label
            >Once more <input name="again" type="password" required minlength="8" maxlength="1024" autocomplete="new-password"
          /></label>
        </div>
        <button>Create</button>
      </form>
    </details>
  </section>`;

const stateOf = ({ disabled, awaiting }: ListedAccount): Markup | undefined => {
  if (!disabled) return undefined;
  const word = awaiting === 'confirmation' ? 'has not confirmed the address' : awaiting === 'approval' ? 'waits for you' : 'disabled';
  return html` <span class="tag">${word}</span>`;
};

const row = (page: UsersPage, account: ListedAccount): Markup => {
  const { id, username, email, access, disabled, keys } = account;
  const seen = page.lastSeenAtMs(id);
  const ids = html`${hidden('mark', page.csrfToken)}${hidden('user', id)}`;
  return html`<li>
    <div class="what">
      ${username}${stateOf(account)}<small
        >${levelName(access)}${email === null ? '' : ` · ${email}`} · ${seen === undefined ? 'never seen' : `seen ${day(seen)}`} ·
        ${keys === 1 ? '1 API key' : `${keys} API keys`}</small
      >
    </div>
    <form method="post" action="user-key">
      ${ids}<input
        name="name"
        required
        maxlength="128"
        placeholder="Name of the key"
        aria-label="Name of a new API key for ${username}"
      /><button class="slight">New key</button>
    </form>
    <form method="post" action="user-stream-token">
      ${ids}<button class="slight" aria-label="New stream token for ${username}">New stream token</button>
    </form>
    ${id !== page.ownId && html`<form method="post" action="${disabled ? 'user-enable' : 'user-disable'}">${ids}<button class="slight" aria-label="${disabled ? 'Enable' : 'Disable'} ${username}">${disabled ? 'Enable' : 'Disable'}</button></form>`}
  </li>`;
};

const newKey = ({ username, name, key }: NonNullable<UsersPage['newKey']>): Markup =>
  html`<section class="card" role="status">
    <h2>API key “${name}” of ${username}</h2>
    <p class="dim">Hand it over now.</p>
    <code>${key}</code>
  </section>`;

const found = (page: UsersPage): Markup =>
  html`<section class="card">
    <h2>Accounts</h2>
    <form method="get" action="users">
      <label>Name begins with <input name="start" maxlength="128" value="${page.start}" /></label><button class="plain">Find</button>
    </form>
    ${
      page.accounts.length === 0
        ? html`<p class="dim">None.</p>`
        : html`<ul class="rows">
            ${page.accounts.map((account) => row(page, account))}
          </ul>`
    }
    ${page.next !== undefined && html`<a class="button plain" href="users?start=${encodeURIComponent(page.start)}&amp;after=${encodeURIComponent(page.next)}">More</a>`}
  </section>`;

/** The list of accounts, for administrators. */
export const usersPage = (page: UsersPage): Shell =>
  pageShell({
    title: 'Accounts',
    notice: page.notice,
    bar: bar(page.csrfToken, true),
    body: html`${page.newKey && newKey(page.newKey)}${create(page)}${found(page)}`,
  });
