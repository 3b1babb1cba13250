import { registerUser, Rejection, type UserId } from '@continuo/contracts';
import type { AuthRequest } from '../../auth/index.js';
import { runAndAwaitReadModel } from '../../server/commands.js';
import type { RequestContext } from '../../server/requests/request-context.js';
import { accountName } from './input.js';
import type { HasAuth } from '../../auth/auth.js';
import type { HasConfig, HasCommands } from '../../server/needs.js';

type Services = HasAuth & HasCommands & HasConfig;

const USER = 25;

/**
 * Username in the trusted proxy's header; undefined when no header is configured, the request does not come from a trusted proxy, or the
 * header is empty or repeated.
 */
export const proxiedName = ({ config, auth }: HasConfig & HasAuth, request: AuthRequest): string | undefined => {
  const name = config.PROXY_LOGIN_HEADER;
  if (name === undefined || !auth.web.isFromProxy(request)) return undefined;
  const value = request.headers[name];
  if (typeof value !== 'string') return undefined;
  // Node decodes headers as Latin-1, proxies send UTF-8; Node joins repeated headers with a comma.
  const text = Buffer.from(value, 'latin1').toString('utf8').trim();
  return text === '' || text.includes(',') || text.includes('\u{fffd}') ? undefined : text;
};

/**
 * Account named by the proxy's header; created if the settings say so.
 * @throws Rejection `auth.failed` when there is none
 */
export const proxiedAccount = async (services: Services, context: RequestContext, name: string): Promise<UserId> => {
  const known = await services.auth.web.accountNamed(name);
  if (known) return known.id;
  if (!services.config.PROXY_LOGIN_CREATE)
    throw new Rejection('auth.failed', 'There is no account of your name on this server.', 'account');
  // A session opens only for an account that the read model shows.
  const made = await runAndAwaitReadModel(services, context, { command: registerUser }, { username: accountName(name), access: USER });
  return made.userId;
};
