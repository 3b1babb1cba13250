import type { UserId } from '@continuo/contracts';
import type { Auth, Caller } from './auth.js';
import type { Identities } from './credentials/identities.js';
import { bearerToken, userAgent } from './credentials/request-credentials.js';

/** Number of no account. */
const NOBODY = 0 as UserId;

/** Account of a caller that holds the server's secret: the rights of an administrator, in no list of accounts. */
const operator: Caller['account'] = {
  id: NOBODY,
  username: 'operator',
  access: 100,
  fullName: null,
  fullNamePublic: false,
  email: null,
  disabled: false,
  catalogs: 'all',
};

/** The part of {@link Auth} that lets the server's own command line in. */
export const operatorAuth =
  (identities: Identities): Auth['operator'] =>
  (request) => {
    const token = bearerToken(request);
    if (token === undefined || !identities.parts.isOperatorToken(token)) return undefined;
    const address = identities.address(request);
    return { account: operator, by: 'operator', viaHeader: true, client: userAgent(request), address, mediaToken: '', artToken: '' };
  };
