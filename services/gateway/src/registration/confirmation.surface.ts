import { confirmEmail } from '@continuo/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { runCommand } from '../commands.js';
import { textParam } from '../http/parameters.js';
import { requestContext } from '../http/request-context.js';
import { asRejection, type Surface } from '../http/server.js';
import { xmlText } from '../render/index.js';
import type { GatewayServices } from '../services.js';

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:28rem;margin:4rem auto;padding:0 1rem}' +
  'input,button{font:inherit;padding:.5rem .8rem;width:100%;box-sizing:border-box;margin:.3rem 0}';

const page = (content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Your account</title><meta name="viewport" content="width=device-width">
<style>${STYLE}</style></head><body><h1>Your account</h1>${content}</body></html>
`;

const form = (token: string): string =>
  page(`<form method="post" action="register.php"><label>Token from the mail
<input name="auth" required maxlength="128" autocomplete="off" value="${xmlText(token).replaceAll('"', '&quot;')}"></label>
<button>Confirm my address</button></form>`);

const outcomes = {
  none: 'Your address is confirmed. You can log in now.',
  approval: 'Your address is confirmed. An administrator has to enable the account now.',
} as const;

const send = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .headers({
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'x-content-type-options': 'nosniff',
      // The address holds the token.
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(html);

const confirm = async (request: FastifyRequest, reply: FastifyReply, services: GatewayServices): Promise<FastifyReply> => {
  const context = requestContext(request, { log: services.log });
  try {
    await services.auth.admitStranger(context.auth, 'confirm');
    const token = (textParam(context.params, 'auth') ?? '').trim().slice(0, 128);
    const { awaiting } = await runCommand(services, context, confirmEmail, { token });
    return await send(reply, page(`<p>${outcomes[awaiting ?? 'none']}</p>`));
  } catch (error) {
    const refused = asRejection(error, context.log);
    const isToken = refused.code === 'input.invalid';
    const words = isToken ? 'This token is unknown, used or too old.' : refused.message;
    return send(reply.code(refused.code === 'auth.throttled' ? 429 : isToken ? 400 : 503), page(`<p>${xmlText(words)}</p>`));
  }
};

/** Where mails to people who signed up lead. Looking at the page changes nothing, so that programs that follow links in mails confirm nothing. */
export const confirmationSurface =
  (services: GatewayServices): Surface =>
  (app: FastifyInstance) => {
    app.get('/register.php', (request, reply) => {
      const { params } = requestContext(request, { log: services.log });
      return send(reply, form((textParam(params, 'auth') ?? '').slice(0, 128)));
    });
    app.post('/register.php', (request, reply) => confirm(request, reply, services));
  };
