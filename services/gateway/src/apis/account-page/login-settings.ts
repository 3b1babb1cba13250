import type { GatewayConfig } from '../../server/config.js';

type Settings = Pick<GatewayConfig, 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'PUBLIC_URL' | 'PROXY_LOGIN_HEADER' | 'TRUSTED_PROXIES'>;

/** Headers not allowed for authentication: they mean something else, or browsers set them freely. */
const NO_NAMES: ReadonlySet<string> = new Set(['authorization', 'cookie', 'host', 'origin', 'referer', 'user-agent', 'x-forwarded-for']);

const isLoopback = ({ hostname }: URL): boolean => hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost';

/**
 * Rejects settings that would let others log in.
 * @throws Error naming the setting
 */
export const checkLoginSettings = (config: Settings): void => {
  if (config.PROXY_LOGIN_HEADER !== undefined) {
    if (NO_NAMES.has(config.PROXY_LOGIN_HEADER)) throw new Error('PROXY_LOGIN_HEADER: header not allowed for authentication');
    if (config.TRUSTED_PROXIES.length === 0)
      throw new Error('PROXY_LOGIN_HEADER needs TRUSTED_PROXIES: from anybody else the header is not believed');
  }
  if (config.OIDC_ISSUER === undefined) return;
  if (config.OIDC_CLIENT_ID === undefined) throw new Error('OIDC_ISSUER needs OIDC_CLIENT_ID');
  if (config.PUBLIC_URL === undefined) throw new Error('OIDC_ISSUER needs PUBLIC_URL: the provider sends people back there');
  const issuer = new URL(config.OIDC_ISSUER);
  if (issuer.protocol !== 'https:' && !isLoopback(issuer))
    throw new Error('OIDC_ISSUER has to begin with https:// unless it is on this machine');
};
