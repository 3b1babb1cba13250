import { defencesOf, type Defence } from '../defence.js';

const outbound = 'chassis/src/outbound';
const lists = 'gateway/src/reads/visibility/playlist-access.ts';
const matrix = 'gateway/test/access-matrix/matrix.int.spec.ts';
const audience = 'public-events/src/audience.ts';
const stream = 'gateway/src/apis/events/events-audience.int.spec.ts';

/** Rows 1, 6, 12 and 17, for lists, the account page, what happens as events, and requests to addresses that people name. */
export const webDefences: readonly Defence[] = defencesOf([
  [1, 'open a private list of somebody else', lists, 'return { open: isPublic || collaborate,', 'return { open: true,', matrix],
  [
    1,
    'change a list of somebody else',
    lists,
    'const own = viewer.isAdministrator === true || ownerId === viewer.userId;',
    'const own = true;',
    matrix,
  ],
  [
    1,
    'find private lists of somebody else listed',
    lists,
    "(${column(alias, 'is_public')} or",
    '(true or',
    'gateway/test/access-matrix/other-user.int.spec.ts',
  ],
  [
    1,
    'hear of what concerns others',
    audience,
    'return (userId !== null && owners.includes(userId)) || amongOthers(others, viewer, shows);',
    'return true;',
    stream,
  ],
  [
    17,
    'hear of what happens in a hidden catalog',
    audience,
    "if (catalogIds && catalogs !== 'all' && !catalogIds.some((id) => catalogs.includes(id))) return false;",
    '',
    stream,
  ],
  [
    12,
    'have somebody’s browser send a form of the account page',
    'gateway/src/apis/account-page/exchange.ts',
    "if (comesFromElsewhere(page) || !page.tools.csrfTokens.isOf(page.who.token, field(page, 'mark'))) throw refusedForm();",
    '',
    'gateway/src/apis/account-page/account.int.spec.ts',
  ],
  [
    12,
    'have somebody’s browser sign in as somebody else',
    'gateway/src/apis/account-page/exchange.ts',
    "if (comesFromElsewhere(page) || !page.tools.csrfTokens.isOf(page.cookies.get('continuo-form'), field(page, 'mark'))) throw refusedForm();",
    '',
    'gateway/src/apis/account-page/sign-in.int.spec.ts',
  ],
  [
    12,
    'read the cookie by script, or have it sent by other sites',
    'gateway/src/apis/account-page/cookies.ts',
    "httpOnly: true, secure, sameSite: 'lax'",
    "httpOnly: false, secure, sameSite: 'none'",
    'gateway/src/apis/account-page/sign-in.int.spec.ts',
  ],
  [
    6,
    'reach an inner network by a name',
    `${outbound}/public-address.ts`,
    'return within(address, allowed) || isPublic(address);',
    'return true;',
    `${outbound}/public-address.unit.spec.ts`,
  ],
  [
    6,
    'reach an inner network in the disguise of IPv6',
    `${outbound}/public-address.ts`,
    'if (address.isIPv4MappedAddress()) return address.toIPv4Address();',
    '',
    `${outbound}/public-address.unit.spec.ts`,
  ],
  [
    6,
    'have a service elsewhere send what proves an account on to another server',
    'playback/src/relay/sending/relay-answer.ts',
    'maxRedirects: 0, ',
    '',
    'playback/src/relay/relay-secrets.int.spec.ts',
  ],
]);
