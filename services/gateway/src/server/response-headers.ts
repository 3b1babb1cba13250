import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** Nothing that a document of the APIs or a stray text holds may run, load or be framed, wherever a browser is led to open it. */
const DOCUMENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Sets the headers of every answer: no sniffing, no scripts, and no referrer, because the URL may hold a credential.
 * Players on pages of other origins may load it (`cross-origin-resource-policy`); that is safe because no cookie proves anything in the APIs.
 */
export const setDocumentHeaders = (reply: FastifyReply): FastifyReply =>
  reply
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', DOCUMENT_POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-resource-policy', 'cross-origin');

/** Browser features that no page of this server uses. */
const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'].map((name) => `${name}=()`).join(', ');

/** Sets the headers of every page and its parts: no framing, no other origins, no caching, no search engines. */
export const setPageHeaders = (reply: FastifyReply): FastifyReply =>
  reply
    .header('x-frame-options', 'DENY')
    .header('permissions-policy', PERMISSIONS)
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('x-robots-tag', 'noindex, nofollow')
    .header('cache-control', 'no-store')
    // The APIs are open to pages of every origin, pages are not.
    .removeHeader('access-control-allow-origin')
    .removeHeader('access-control-expose-headers');

const NONCE_BYTES = 18;

/** Marks the scripts and styles that a page's policy allows; new for each answer, so that nobody can know it before. */
export const pageNonce = (): string => randomBytes(NONCE_BYTES).toString('base64url');
