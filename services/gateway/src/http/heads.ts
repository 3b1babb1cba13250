import type { FastifyReply } from 'fastify';

/** Nothing that a document of the APIs or a stray text holds may run, load or be framed, wherever a browser is led to open it. */
const DOCUMENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Heads of every answer, before a surface says more: what it is said to be it is, it runs nothing, and the address that was asked, which may hold a credential, is told to nobody.
 * Players on pages of other origins may load it (`cross-origin-resource-policy`); that is safe because no cookie proves anything in the APIs.
 */
export const documentHeads = (reply: FastifyReply): FastifyReply =>
  reply
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', DOCUMENT_POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-resource-policy', 'cross-origin');

/** What no page of this server wants of a browser. */
const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'].map((name) => `${name}=()`).join(', ');

/** Heads of everything that is a page or belongs to one: framed by nobody, read by no other origin, kept nowhere, found by no search engine. */
export const pageHeads = (reply: FastifyReply): FastifyReply =>
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
