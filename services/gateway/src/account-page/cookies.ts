import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';

/** The cookies of the page: whose session it is, which browser a form was given to, and a login at a provider that is under way. */
export type CookieName = 'continuo' | 'continuo-form' | 'continuo-provider';

/** True when the browser talks to the server, or to the proxy before it, over TLS. `X-Forwarded-Proto` is believed from trusted proxies only. */
export const isSecure = (request: FastifyRequest, { PUBLIC_URL }: Pick<GatewayConfig, 'PUBLIC_URL'>): boolean => {
  if (request.protocol === 'https') return true;
  if (PUBLIC_URL === undefined) return false;
  const { protocol, host } = new URL(PUBLIC_URL);
  return protocol === 'https:' && host === request.host;
};

/** The prefix makes browsers refuse such a cookie from another host of the domain, and over plain HTTP. */
const nameOf = (name: CookieName, secure: boolean): string => (secure ? `__Host-${name}` : name);

/** Cookies of one exchange. */
export interface PageCookies {
  get(name: CookieName): string | undefined;
  /** Sets a cookie that ends with the browser, or earlier when `maxAgeS` says so. Scripts cannot read it, other sites' forms do not send it. */
  set(name: CookieName, value: string, maxAgeS?: number): void;
  clear(name: CookieName): void;
}

/** The cookies of a request and its answer. */
export const pageCookies = (request: FastifyRequest, reply: FastifyReply, config: Pick<GatewayConfig, 'PUBLIC_URL'>): PageCookies => {
  const secure = isSecure(request, config);
  // Lax and not strict: the return from an identity provider is a link from another site.
  const common = { httpOnly: true, secure, sameSite: 'lax', path: '/' } as const;
  return {
    get: (name) => request.cookies[nameOf(name, secure)],
    set: (name, value, maxAgeS) =>
      void reply.setCookie(nameOf(name, secure), value, { ...common, ...(maxAgeS === undefined ? {} : { maxAge: maxAgeS }) }),
    clear: (name) => void reply.clearCookie(nameOf(name, secure), common),
  };
};
