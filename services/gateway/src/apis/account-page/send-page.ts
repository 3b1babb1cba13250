import type { FastifyReply } from 'fastify';
import { pageNonce, setPageHeaders } from '../../server/response-headers.js';
import type { Shell } from './page-shell.js';

/**
 * Sends a page: no scripts, only its own style, no framing, forms only to this server, no caching.
 */
export const sendPage = (reply: FastifyReply, shell: Shell): FastifyReply => {
  const nonce = pageNonce();
  return securityHeaders(reply)
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      `default-src 'none'; script-src 'none'; style-src 'nonce-${nonce}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
    .send(shell(nonce));
};

/** Security headers for every answer: pages, pictures and redirects. */
export const securityHeaders = setPageHeaders;
