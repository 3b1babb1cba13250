import type { SessionView } from '../../../auth/index.js';
import type { ApiKeyView, LinkedIdentityView } from '../../../reads/people/account-page.reads.js';
import type { UserView } from '../../../reads/people/users.reads.js';
import { html, type Markup } from '../markup.js';
import { pageShell, type Notice, type Shell } from '../page-shell.js';
import { relaysSection, type BegunLink, type Relays } from './relays.section.js';
import { day, levelName, moment } from './words.js';

/** An API key and its last use. */
export type ListedKey = ApiKeyView & { readonly lastUsedAtMs: number | undefined };

/** Data of the account page. */
export interface AccountPage {
  readonly csrfToken: string;
  readonly user: UserView;
  readonly isAdministrator: boolean;
  /** False for guests, who share their account. */
  readonly mayChange: boolean;
  readonly hasPassword: boolean;
  readonly hasPlayerPassword: boolean;
  readonly keys: readonly ListedKey[];
  readonly hasStreamToken: boolean;
  readonly sessions: readonly SessionView[];
  /** Id of this session. */
  readonly ownSession: string;
  readonly identities: readonly LinkedIdentityView[];
  /** Name of the identity provider; undefined without one. */
  readonly providerName: string | undefined;
  /** API keys and stream token, after the user asked to see them. */
  readonly secrets?: { readonly keys: ReadonlyMap<string, string>; readonly streamToken: string | null } | undefined;
  /** Scrobbling links; undefined when the playback service does not answer. */
  readonly relays: Relays | undefined;
  /** Link to Last.fm that the user must still allow there. */
  readonly begun?: BegunLink | undefined;
  readonly notice?: Notice | undefined;
}

/** Navigation bar of signed-in users. */
const bar = (csrfToken: string, isAdministrator: boolean): Markup =>
  html`<nav class="bar" aria-label="Account">
    <strong>Continuo</strong> <a href="me">My account</a>${isAdministrator && html` <a href="../#/manage/people">Accounts</a>`}
    <form method="post" action="logout">
      <input type="hidden" name="mark" value="${csrfToken}" /><button class="slight">Sign out</button>
    </form>
  </nav>`;

const hidden = (name: string, value: string): Markup => html`<input type="hidden" name="${name}" value="${value}" />`;

const header = ({ user }: AccountPage): Markup =>
  html`<section class="card who">
    <img
      src="avatar?v=${user.avatarHash ?? 'none'}"
      alt="${user.avatarHash === null ? 'No picture yet' : `Picture of ${user.username}`}"
      width="96"
      height="96"
    />
    <div>
      <h1>${user.username}</h1>
      <p>${user.fullName ?? ''}</p>
      <p class="dim">${levelName(user.access)} &middot; since ${day(user.createdAtMs)}</p>
    </div>
  </section>`;

const profile = ({ csrfToken, user }: AccountPage): Markup =>
  html`<section class="card">
    <h2 id="about">About me</h2>
    <form method="post" action="profile" aria-labelledby="about">
      ${hidden('mark', csrfToken)}
      <div class="pair">
        <label>Full name <input name="fullname" maxlength="255" autocomplete="name" value="${user.fullName ?? ''}" /></label>
        <label>Website <input name="website" type="url" maxlength="255" autocomplete="url" value="${user.website ?? ''}" /></label>
        <label>City <input name="city" maxlength="255" autocomplete="address-level2" value="${user.city ?? ''}" /></label>
        <label>State <input name="state" maxlength="255" autocomplete="address-level1" value="${user.state ?? ''}" /></label>
      </div>
      <label class="tick"
        ><input type="checkbox" name="public" value="1" ${user.fullNamePublic ? html` checked` : ''} /> Others may see my full name</label
      >
      <button>Save</button>
    </form>
  </section>`;

const picture = ({ csrfToken, user }: AccountPage): Markup =>
  html`<section class="card">
    <h2 id="picture">Picture</h2>
    <form method="post" action="picture" enctype="multipart/form-data" aria-labelledby="picture">
      ${hidden('mark', csrfToken)}
      <label
        >JPEG, PNG, GIF or WebP; it is cut to a square
        <input type="file" name="picture" required accept="image/jpeg,image/png,image/gif,image/webp"
      /></label>
      <button>Upload</button>
    </form>
    ${user.avatarHash !== null && html`<form method="post" action="picture-remove">${hidden('mark', csrfToken)}<button class="plain">Remove</button></form>`}
  </section>`;

/** Tells password managers the username. */
const owner = ({ user }: AccountPage): Markup =>
  html`<input type="text" autocomplete="username" value="${user.username}" readonly hidden />`;

const current = ({ hasPassword }: AccountPage): Markup | undefined =>
  hasPassword
    ? html`<label
        >Current password <input name="current" type="password" required maxlength="1024" autocomplete="current-password"
      /></label>`
    : undefined;

const twice = (): Markup =>
  html`<div class="pair">
    <label
      >New password <input name="password" type="password" required minlength="8" maxlength="1024" autocomplete="new-password"
    /></label>
    <label>Once more <input name="again" type="password" required minlength="8" maxlength="1024" autocomplete="new-password" /></label>
  </div>`;

const email = (page: AccountPage): Markup =>
  html`<section class="card">
    <h2 id="mail">Mail address</h2>
    <form method="post" action="email" aria-labelledby="mail">
      ${hidden('mark', page.csrfToken)}${owner(page)}
      <label
        >Address for lost passwords <input name="email" type="email" maxlength="255" autocomplete="email" value="${page.user.email ?? ''}"
      /></label>
      ${current(page)}<button>Save</button>
    </form>
  </section>`;

const passwords = (page: AccountPage): Markup =>
  html`<section class="card">
      <h2 id="password">Password</h2>
      <p class="dim">For this page and for players of the native API. All other sessions end when it changes.</p>
      <form method="post" action="password" aria-labelledby="password">
        ${hidden('mark', page.csrfToken)}${owner(page)}${current(page)}${twice()}<button>Change</button>
      </form>
    </section>
    <section class="card">
      <h2 id="player">Password for Subsonic players</h2>
      <p class="dim">
        ${page.hasPlayerPassword ? 'One is set.' : 'None is set.'} Such players cannot use your password, because the server has to know
        theirs in clear.
      </p>
      <form method="post" action="player-password" aria-labelledby="player">
        ${hidden('mark', page.csrfToken)}${owner(page)}${current(page)}${twice()}<button>
          ${page.hasPlayerPassword ? 'Change' : 'Set'}
        </button>
      </form>
    </section>`;

/** Describes a key: creation, expiry, last use, and its scopes when it does not have all. */
const keyFacts = ({ issuedAtMs, expiresAtMs, scopes, lastUsedAtMs }: ListedKey): string =>
  [
    `made ${moment(issuedAtMs)}`,
    ...(expiresAtMs === null ? [] : [`opens nothing from ${moment(expiresAtMs)} on`]),
    ...(lastUsedAtMs === undefined ? [] : [`last used ${moment(lastUsedAtMs)}`]),
    ...(scopes === null ? [] : [`opens only ${scopes.join(', ')}`]),
  ].join('; ');

const keyRow = (page: AccountPage, key: ListedKey): Markup => {
  const { keyId, name } = key;
  const shown = page.secrets?.keys.get(keyId);
  const ids = html`${hidden('mark', page.csrfToken)}${hidden('key', keyId)}`;
  return html`<li>
    <div class="what">${name}<small>${keyFacts(key)}</small>${shown !== undefined && html`<code>${shown}</code>`}</div>
    <form method="post" action="key-name">
      ${ids}<input name="name" required maxlength="128" value="${name}" aria-label="Name of the key ${name}" /><button class="slight">
        Rename
      </button>
    </form>
    <form method="post" action="key-revoke">${ids}<button class="slight" aria-label="Revoke the key ${name}">Revoke</button></form>
  </li>`;
};

const streamToken = (page: AccountPage): Markup | undefined =>
  page.hasStreamToken
    ? html`<li>
        <div class="what">
          Stream token<small>opens media and nothing else</small
          >${typeof page.secrets?.streamToken === 'string' && html`<code>${page.secrets.streamToken}</code>`}
        </div>
        <form method="post" action="stream-token">${hidden('mark', page.csrfToken)}<button class="slight">Replace</button></form>
      </li>`
    : undefined;

const keys = (page: AccountPage): Markup => {
  const isEmpty = page.keys.length === 0 && !page.hasStreamToken;
  return html`<section class="card">
    <h2 id="keys">API keys and stream token</h2>
    ${
      isEmpty
        ? html`<p class="dim">None. Administrators make them.</p>`
        : html`<ul class="rows">
              ${page.keys.map((key) => keyRow(page, key))}${streamToken(page)}
            </ul>
            ${
              !page.secrets &&
              html`<details>
                <summary>Show them</summary>
                <form method="post" action="secrets" aria-labelledby="keys">
                  ${hidden('mark', page.csrfToken)}${owner(page)}${current(page)}<button>Show</button>
                </form>
              </details>`
            }`
    }
  </section>`;
};

const KINDS = { web: 'This page', player: 'Player', 'api-key': 'Player with an API key' } as const;

const sessionRow = ({ csrfToken, ownSession, mayChange }: AccountPage, { id, kind, client, openedAtMs }: SessionView): Markup => {
  const isOwn = id === ownSession;
  const since = openedAtMs === undefined ? '' : `since ${moment(openedAtMs)}`;
  return html`<li>
    <div class="what">
      ${KINDS[kind]} ${isOwn && html`<span class="tag">here</span>`}<small>${client || 'unknown client'}</small><small>${since}</small>
    </div>
    ${!isOwn && mayChange && html`<form method="post" action="session-end">${hidden('mark', csrfToken)}${hidden('session', id)}<button class="slight" aria-label="End the session of ${client || 'an unknown client'}">End</button></form>`}
  </li>`;
};

/** Most sessions shown; clients that never log out may leave thousands. */
const SHOWN_SESSIONS = 100;

const sessions = (page: AccountPage): Markup =>
  html`<section class="card">
    <h2>Sessions</h2>
    <ul class="rows">
      ${page.sessions.slice(0, SHOWN_SESSIONS).map((session) => sessionRow(page, session))}
    </ul>
    ${page.sessions.length > SHOWN_SESSIONS && html`<p class="dim">And ${page.sessions.length - SHOWN_SESSIONS} more.</p>`}
    ${page.sessions.length > 1 && page.mayChange && html`<form method="post" action="sessions-end">${hidden('mark', page.csrfToken)}<button class="plain">End all others</button></form>`}
  </section>`;

const identityRow = ({ csrfToken }: AccountPage, { identityDigest, issuer, linkedAtMs }: LinkedIdentityView): Markup =>
  html`<li>
    <div class="what">${issuer}<small>linked ${moment(linkedAtMs)}</small></div>
    <form method="post" action="identity-unlink">
      ${hidden('mark', csrfToken)}${hidden('identity', identityDigest)}<button class="slight" aria-label="Unlink ${issuer}">Unlink</button>
    </form>
  </li>`;

const identities = (page: AccountPage): Markup | undefined => {
  if (page.providerName === undefined && page.identities.length === 0) return undefined;
  return html`<section class="card">
    <h2 id="identities">Single sign-on</h2>
    <ul class="rows">
      ${page.identities.map((identity) => identityRow(page, identity))}
    </ul>
    ${page.providerName !== undefined && html`<form method="post" action="identity-link" aria-labelledby="identities">${hidden('mark', page.csrfToken)}${owner(page)}${current(page)}<button class="plain">Link with ${page.providerName}</button></form>`}
  </section>`;
};

/** The account page. */
export const accountPage = (page: AccountPage): Shell =>
  pageShell({
    title: page.user.username,
    notice: page.notice,
    bar: bar(page.csrfToken, page.isAdministrator),
    body: page.mayChange
      ? html`${header(page)}${profile(page)}${picture(page)}${email(page)}${passwords(page)}${keys(page)}${relaysSection(page)}${identities(page)}${sessions(page)}`
      : html`${header(page)}${sessions(page)}`,
  });
