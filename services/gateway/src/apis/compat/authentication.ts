import type { Auth, AuthRequest, Caller, CompatFailure } from '../../auth/index.js';
import { CompatError } from './errors.js';

const refusals: { readonly [R in CompatFailure['reason']]: (failure: Extract<CompatFailure, { reason: R }>) => CompatError } = {
  'missing-parameter': ({ parameter }) => new CompatError(10, `Required parameter is missing: ${parameter}`),
  'wrong-credentials': () => new CompatError(40, 'Wrong username or password'),
  'token-unsupported': () => new CompatError(41, 'Token authentication is not possible for this account: it has no compatibility password'),
  'mechanism-unsupported': () => new CompatError(42, 'This way of logging in is switched off'),
  'conflicting-mechanisms': () => new CompatError(43, 'The call names credentials of several kinds'),
  'invalid-key': () => new CompatError(44, 'The API key is not valid'),
  'scope-denied': () => new CompatError(50, 'The API key lacks the scope listen'),
  'address-denied': () => new CompatError(50, 'No access from this address'),
  throttled: ({ retryAfterMs }) => new CompatError(40, `Too many failed logins; try again in ${Math.ceil(retryAfterMs / 1000)} seconds`),
};

/**
 * Authenticates a call.
 * @throws CompatError with the protocol's code for the failure
 */
export const authenticate = async (auth: Auth, request: AuthRequest): Promise<Caller> => {
  const result = await auth.authenticateCompat(request);
  if (result.ok) return result.caller;
  const { failure } = result;
  throw (refusals[failure.reason] as (failure: CompatFailure) => CompatError)(failure);
};
