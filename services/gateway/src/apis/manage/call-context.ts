import type { FastifyRequest } from 'fastify';
import { requireLevel, type HasAuth } from '../../auth/index.js';
import type { HasConfig, HasLog } from '../../server/needs.js';
import { requestContext, type CallerContext } from '../../server/requests/request-context.js';
import type { OperationRow } from './operation.js';

type Services = HasAuth & HasConfig & HasLog;

/**
 * Authenticates the caller of an operation by its headers alone, then checks level and scope.
 * @throws Rejection `auth.expired`, `auth.throttled`, `access.address`, `access.level`, `access.scope`, `feature.disabled`, `unavailable`
 */
export const callerOf = async (
  request: FastifyRequest,
  row: Pick<OperationRow<never>, 'level' | 'scope'>,
  services: Services,
): Promise<CallerContext> => {
  const { auth } = services;
  const context = requestContext(request, services);
  // Addresses end up in logs and histories: no credential is taken from them.
  const caller = auth.operator(context.auth) ?? (await auth.authenticateNative({ ...context.auth, params: {} }, row.scope));
  requireLevel(caller, row.level);
  return { ...context, caller };
};
