import { registerUser, Rejection, type UserId } from '@continuo/contracts';
import type { AuthRequest } from '../auth/index.js';
import { runCommand } from '../commands.js';
import type { RequestContext } from '../http/request-context.js';
import type { GatewayServices } from '../services.js';
import { accountName } from './input.js';

const USER = 25;

/**
 * Who the proxy before the server says somebody is; undefined when no header is configured, when the request does not come straight from a trusted proxy,
 * or when the header is empty or comes twice.
 */
export const proxiedName = ({ config, auth }: Pick<GatewayServices, 'config' | 'auth'>, request: AuthRequest): string | undefined => {
  const name = config.PROXY_LOGIN_HEADER;
  if (name === undefined || !auth.web.isFromProxy(request)) return undefined;
  const value = request.headers[name];
  if (typeof value !== 'string') return undefined;
  // Node gives header bytes as Latin-1; proxies send UTF-8. It joins what comes twice by a comma.
  const text = Buffer.from(value, 'latin1').toString('utf8').trim();
  return text === '' || text.includes(',') || text.includes('\u{fffd}') ? undefined : text;
};

/**
 * The account that a proxy's header names; made when there is none and the settings say so.
 * @throws Rejection `auth.failed` when there is none
 */
export const proxiedAccount = async (services: GatewayServices, context: RequestContext, name: string): Promise<UserId> => {
  const known = await services.auth.web.accountNamed(name);
  if (known) return known.id;
  if (!services.config.PROXY_LOGIN_CREATE)
    throw new Rejection('auth.failed', 'There is no account of your name on this server.', 'account');
  const made = await runCommand(services, context, registerUser, { username: accountName(name), access: USER });
  return made.userId;
};
