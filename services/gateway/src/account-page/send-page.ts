import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { pageHeads } from '../http/heads.js';
import type { Shell } from './page-shell.js';

const NONCE_BYTES = 18;

/**
 * Sends a page: no script runs, only its own style is applied, nobody may frame it, its forms go to this server alone (and, where one is set, on to the
 * identity provider), and it is kept nowhere.
 */
export const sendPage = (reply: FastifyReply, shell: Shell, formTargets: readonly string[] = []): FastifyReply => {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  const targets = ["'self'", ...formTargets].join(' ');
  return guarded(reply)
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      `default-src 'none'; script-src 'none'; style-src 'nonce-${nonce}'; img-src 'self'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
    )
    .send(shell(nonce));
};

/** Heads of everything that is answered here, pages, pictures and redirections. */
export const guarded = pageHeads;
