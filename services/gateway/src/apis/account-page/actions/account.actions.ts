import { requireRole } from '../../../preferences/index.js';
import { changeUser, Rejection, renameApiKey, revokeApiKey, setAvatar, unlinkIdentity } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import { requireLevel } from '../../../auth/index.js';
import { runCommand } from '../../../server/commands.js';
import { sendAvatar } from '../../../features/media/send-art.js';
import { apiKeysOf, hasPlayerPassword, identitiesOf } from '../../../reads/people/account-page.reads.js';
import { avatarOf } from '../../../reads/art/avatars.reads.js';
import { usersByIds } from '../../../reads/people/users.reads.js';
import { field, goTo, startSession, sessionCsrfToken, passwordField, show, type SignedExchange } from '../exchange.js';
import { chosenPassword, mailAddress, shortText, website } from '../input.js';
import type { Notice } from '../page-shell.js';
import { accountPage, type AccountPage } from '../pages/account.page.js';
import type { BegunLink } from '../pages/relays.section.js';
import { beginLastfm, connectListenBrainz, connectPlugin, disconnect, finishLastfm, retryRelay, relaysOf } from './relay.actions.js';

const USER = 25;
const ADMINISTRATOR = 100;
const BAD_REQUEST = 400;

/** Success notices by key; the address carries only the key, never a text. */
export const DONE: Readonly<Record<string, string>> = {
  profile: 'Saved.',
  email: 'Your mail address is saved.',
  password: 'Your password is changed. All other sessions have ended.',
  'player-password': 'The password for Subsonic players is set.',
  picture: 'Your picture is saved.',
  'key-name': 'The key is renamed.',
  'key-revoke': 'The key is revoked.',
  'stream-token': 'The stream token is replaced.',
  'session-end': 'The session has ended.',
  'sessions-end': 'All other sessions have ended.',
  'identity-link': 'Single sign-on is linked with your account.',
  'identity-unlink': 'Single sign-on is unlinked.',
  'relay-linked': 'Connected. What you play from now on is told there.',
  'relay-unlink': 'Disconnected. It is told nothing more.',
  'relay-hurry': 'It is tried again.',
};

const opened = ({ tools, log }: SignedExchange, sealed: string): string => {
  try {
    return tools.services.sealer.open(sealed);
  } catch (err) {
    log.debug({ err }, 'Failed to decrypt a stored secret: sealed under another CONTINUO_SECRET');
    return 'cannot be shown: it was sealed under another CONTINUO_SECRET';
  }
};

/** Optional parts of the page. */
interface Extras {
  readonly showsSecrets?: boolean;
  readonly notice?: Notice | undefined;
  readonly begun?: BegunLink;
}

const pageOf = async (page: SignedExchange, { showsSecrets = false, notice, begun }: Extras): Promise<AccountPage> => {
  const { services, provider } = page.tools;
  const { id, access } = page.caller.account;
  const { web } = services.auth;
  const mayChange = access >= USER;
  const [users, keys, identities, hasPlayer, hasPassword, relays] = await Promise.all([
    usersByIds(services.db, [id]),
    apiKeysOf(services.db, id),
    identitiesOf(services.db, id),
    hasPlayerPassword(services.db, id),
    web.hasPassword(id),
    mayChange ? relaysOf(page) : undefined,
  ]);
  const [user] = users;
  if (!user) throw new Rejection('auth.expired');
  const { sealedStreamToken } = user;
  const secrets = showsSecrets && {
    keys: new Map(keys.map(({ keyId, sealedKey }) => [keyId, opened(page, sealedKey)])),
    streamToken: sealedStreamToken === null ? null : opened(page, sealedStreamToken),
  };
  const ownSession = web.sessionId(page.who.token);
  return {
    csrfToken: sessionCsrfToken(page),
    user,
    isAdministrator: access >= ADMINISTRATOR,
    mayChange,
    hasPassword,
    hasPlayerPassword: hasPlayer,
    keys: keys.map((key) => ({ ...key, lastUsedAtMs: services.auth.keyLastUsedAtMs(key.keyId) })),
    hasStreamToken: sealedStreamToken !== null,
    // Several people share a guest account and must not see each other's sessions.
    sessions: web.sessions(id).filter((session) => mayChange || session.id === ownSession),
    ownSession,
    identities,
    providerName: provider?.name,
    ...(secrets ? { secrets } : {}),
    relays,
    begun,
    notice,
  };
};

/** Shows the account page. */
export const showAccount = async (page: SignedExchange, notice?: Notice, status = 200): Promise<FastifyReply> =>
  show(page, accountPage(await pageOf(page, { notice })), status);

/** Sends the account's picture. */
export const showPicture = async (page: SignedExchange): Promise<FastifyReply> => {
  const hash = await avatarOf(page.tools.services.db, page.caller.account.id);
  return sendAvatar(page, page.tools.services, { hash, size: { widthPx: 256, heightPx: 256 }, orPlaceholder: true });
};

const done = (page: SignedExchange, what: string): FastifyReply => goTo(page, `me?done=${what}`);

const change = async (
  page: SignedExchange,
  changes: Omit<Parameters<typeof runCommand<typeof changeUser.schema, typeof changeUser.result>>[3], 'userId'>,
) => runCommand(page.tools.services, page, changeUser, { userId: page.caller.account.id, ...changes });

/** Time after sign-in in which an account without a password needs no further proof, ms. */
const FRESH_MS = 600_000;

/**
 * Requires the current password before a change that could take over the account from an open browser. An account without a password must have
 * signed in recently.
 * @throws Rejection `auth.failed`, `auth.throttled`, `access.denied`
 */
const requireCurrentPassword = async (page: SignedExchange): Promise<void> => {
  const { auth, now } = page.tools.services;
  const { id } = page.caller.account;
  if (await auth.web.hasPassword(id)) await auth.web.confirm(page.auth, id, passwordField(page, 'current'));
  else if (page.who.openedAtMs + FRESH_MS <= now())
    throw new Rejection('access.denied', 'Sign out and in again, then do that within ten minutes.');
};

/** Handles one form of the account page. All are refused for guests, who share their account. */
export type AccountAction = (page: SignedExchange) => Promise<FastifyReply>;

/** Work of a form; its handler then goes back to the page. */
type Change = (page: SignedExchange) => Promise<void>;

/** Handles a form with a change, then shows the notice `what` of {@link DONE}. */
const ended =
  (work: Change, what: string): AccountAction =>
  async (page) => {
    await work(page);
    return done(page, what);
  };

const profile: Change = async (page) => {
  await change(page, {
    fullName: shortText(field(page, 'fullname'), 'full name'),
    website: website(field(page, 'website')),
    city: shortText(field(page, 'city'), 'city'),
    state: shortText(field(page, 'state'), 'state'),
    fullNamePublic: field(page, 'public') === '1',
  });
};

/** Changes the mail address that gets password-reset mails. */
const email: Change = async (page) => {
  const address = mailAddress(field(page, 'email'));
  await requireCurrentPassword(page);
  await change(page, { email: address });
};

/** Changes the password, ends every session of the account and starts a new one for this browser. */
const password: Change = async (page) => {
  const chosen = chosenPassword(passwordField(page, 'password'), passwordField(page, 'again'));
  await requireCurrentPassword(page);
  await change(page, { password: chosen });
  const { web } = page.tools.services.auth;
  const { token } = await web.open(page.auth, page.caller.account.id, page.who.signIn);
  await startSession(page, token);
};

const playerPassword: Change = async (page) => {
  const chosen = chosenPassword(passwordField(page, 'password'), passwordField(page, 'again'));
  await requireCurrentPassword(page);
  await change(page, { compatPassword: chosen });
};

const secrets: AccountAction = async (page) => {
  await requireCurrentPassword(page);
  return show(page, accountPage(await pageOf(page, { showsSecrets: true })));
};

const keyName: Change = async (page) => {
  const name = shortText(field(page, 'name'), 'name').slice(0, 128);
  if (name === '') throw new Rejection('input.invalid', 'A key needs a name.', 'name');
  const { services } = page.tools;
  await runCommand(services, page, renameApiKey, { userId: page.caller.account.id, keyId: field(page, 'key'), name });
};

const keyRevoke: Change = async (page) => {
  await runCommand(page.tools.services, page, revokeApiKey, { userId: page.caller.account.id, keyId: field(page, 'key') });
};

/** Replaces the stream token; only administrators create the first one. */
const streamToken: Change = async (page) => {
  const [user] = await usersByIds(page.tools.services.db, [page.caller.account.id]);
  if (!user || user.sealedStreamToken === null) throw new Rejection('access.denied', 'Administrators make stream tokens.');
  await change(page, { resetStreamToken: true });
};

const sessionEnd: Change = async (page) => {
  await page.tools.services.auth.web.endSession(page.caller.account.id, field(page, 'session'));
};

const sessionsEnd: Change = async (page) => {
  const { web } = page.tools.services.auth;
  const own = web.sessionId(page.who.token);
  const { id } = page.caller.account;
  const others = web.sessions(id).filter((session) => session.id !== own);
  await Promise.all(others.map((session) => web.endSession(id, session.id)));
};

const identityUnlink: Change = async (page) => {
  const { services } = page.tools;
  const { id } = page.caller.account;
  const linked = await identitiesOf(services.db, id);
  const identityDigest = field(page, 'identity');
  if (!linked.some((identity) => identity.identityDigest === identityDigest))
    throw new Rejection('input.invalid', 'There is no such link.', 'identity');
  if (linked.length === 1 && !(await services.auth.web.hasPassword(id)))
    throw new Rejection('access.denied', 'This is the only way in to your account. Set a password first.');
  await runCommand(services, page, unlinkIdentity, { userId: id, identityDigest });
};

const pictureRemove: Change = async (page) => {
  await runCommand(page.tools.services, page, setAvatar, { userId: page.caller.account.id, artHash: null });
};

const identityLink: AccountAction = async (page) => {
  const { provider } = page.tools;
  if (!provider) throw new Rejection('feature.disabled', 'There is no single sign-on here.');
  await requireCurrentPassword(page);
  return provider.beginLink(page);
};

/** Starts linking with Last.fm: shows the address where the user allows it, and the form that finishes it. */
const relayLastfm: AccountAction = async (page) => show(page, accountPage(await pageOf(page, { begun: await beginLastfm(page) })));

/** Finishes linking with Last.fm; can be repeated with the same token until the user has allowed it. */
const relayLastfmFinish: AccountAction = async (page) => {
  try {
    await finishLastfm(page);
  } catch (error) {
    if (!(error instanceof Rejection) || error.code !== 'input.invalid' || field(page, 'token') === '') throw error;
    const notice = { kind: 'bad', text: error.message } as const;
    return show(page, accountPage(await pageOf(page, { notice, begun: { token: field(page, 'token'), allowUrl: '' } })), BAD_REQUEST);
  }
  return done(page, 'relay-linked');
};

/** Form handlers of the account page, by path. */
export const accountActions: Readonly<Record<string, AccountAction>> = {
  profile: ended(profile, 'profile'),
  email: ended(email, 'email'),
  password: ended(password, 'password'),
  'player-password': ended(playerPassword, 'player-password'),
  'picture-remove': ended(pictureRemove, 'picture'),
  secrets,
  'key-name': ended(keyName, 'key-name'),
  'key-revoke': ended(keyRevoke, 'key-revoke'),
  'stream-token': ended(streamToken, 'stream-token'),
  'session-end': ended(sessionEnd, 'session-end'),
  'sessions-end': ended(sessionsEnd, 'sessions-end'),
  'identity-link': identityLink,
  'identity-unlink': ended(identityUnlink, 'identity-unlink'),
  'relay-listenbrainz': ended(connectListenBrainz, 'relay-linked'),
  'relay-plugin': ended(connectPlugin, 'relay-linked'),
  'relay-lastfm': relayLastfm,
  'relay-finish': relayLastfmFinish,
  'relay-unlink': ended(disconnect, 'relay-unlink'),
  'relay-hurry': ended(retryRelay, 'relay-hurry'),
};

/** Stores an uploaded picture. @throws Rejection `input.invalid` when it is not a picture */
export const keepPicture = async (page: SignedExchange, bytes: Buffer): Promise<FastifyReply> => {
  const { services } = page.tools;
  const artHash = await services.avatars.keep(bytes);
  await runCommand(services, page, setAvatar, { userId: page.caller.account.id, artHash });
  return done(page, 'picture');
};

/** @throws Rejection `access.level` for guests, `access.denied` for accounts that only administrators change */
export const requireOwnAccount = async (page: SignedExchange): Promise<void> => {
  requireLevel(page.caller, USER);
  requireRole(await page.tools.services.preferences.current(), page.caller.account.id, 'settings');
};
