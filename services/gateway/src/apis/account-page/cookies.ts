import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../../server/config.js';

/** Cookies of the page: the session, the browser of a form, a pending login at the provider, and that the sign-in began on the web page. */
export type CookieName = 'continuo' | 'continuo-form' | 'continuo-provider' | 'continuo-return';

/** True when the browser reaches the server or its proxy over TLS. `X-Forwarded-Proto` counts only from trusted proxies. */
export const isSecure = (request: FastifyRequest, { PUBLIC_URL }: Pick<GatewayConfig, 'PUBLIC_URL'>): boolean => {
  if (request.protocol === 'https') return true;
  if (PUBLIC_URL === undefined) return false;
  const { protocol, host } = new URL(PUBLIC_URL);
  return protocol === 'https:' && host === request.host;
};

/** `__Host-` makes browsers refuse the cookie from another host of the domain and over plain HTTP. */
const nameOf = (name: CookieName, secure: boolean): string => (secure ? `__Host-${name}` : name);

/** Cookies of one exchange. */
export interface PageCookies {
  get(name: CookieName): string | undefined;
  /** Sets an HttpOnly, SameSite=Lax cookie that ends with the browser session, or after `maxAgeS`. */
  set(name: CookieName, value: string, maxAgeS?: number): void;
  clear(name: CookieName): void;
}

/** The cookies of a request and its answer. */
export const pageCookies = (request: FastifyRequest, reply: FastifyReply, config: Pick<GatewayConfig, 'PUBLIC_URL'>): PageCookies => {
  const secure = isSecure(request, config);
  // Lax, not strict: the return from an identity provider is a cross-site navigation.
  const common = { httpOnly: true, secure, sameSite: 'lax', path: '/' } as const;
  return {
    get: (name) => request.cookies[nameOf(name, secure)],
    set: (name, value, maxAgeS) =>
      void reply.setCookie(nameOf(name, secure), value, { ...common, ...(maxAgeS === undefined ? {} : { maxAge: maxAgeS }) }),
    clear: (name) => void reply.clearCookie(nameOf(name, secure), common),
  };
};
