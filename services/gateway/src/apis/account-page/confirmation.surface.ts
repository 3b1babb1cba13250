import { confirmEmail } from '@continuo/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html, type Markup } from './markup.js';
import { pageShell, type Shell } from './page-shell.js';
import { sendPage } from './send-page.js';
import { runCommand } from '../../server/commands.js';
import { textParam } from '../../server/requests/parameters.js';
import { requestContext } from '../../server/requests/request-context.js';
import { PAGE_BODY_BYTES } from '../../server/requests/request-bounds.js';
import { asRejection, type Surface } from '../../server/server.js';
import type { HasAuth } from '../../auth/auth.js';
import type { HasCommands, HasConfig, HasLog } from '../../server/needs.js';

type Services = HasAuth & HasCommands & HasConfig & HasLog;

const page = (body: Markup): Shell =>
  pageShell({
    title: 'Your account',
    small: true,
    body: html`<section class="card">
      <h1>Your account</h1>
      ${body}
    </section>`,
  });

const form = (token: string): Shell =>
  page(
    html`<form method="post" action="register.php">
      <label>Token from the mail <input name="auth" required maxlength="128" autocomplete="off" value="${token}" /></label>
      <button class="wide">Confirm my address</button>
    </form>`,
  );

const outcomes = {
  none: 'Your address is confirmed. You can log in now.',
  approval: 'Your address is confirmed. An administrator has to enable the account now.',
} as const;

const confirm = async (request: FastifyRequest, reply: FastifyReply, services: Services): Promise<FastifyReply> => {
  const context = requestContext(request, { log: services.log });
  try {
    await services.auth.limitUnauthenticated(context.auth, 'confirm');
    const token = (textParam(context.params, 'auth') ?? '').trim().slice(0, 128);
    const { awaiting } = await runCommand(services, context, confirmEmail, { token });
    return await sendPage(reply, page(html`<p role="status">${outcomes[awaiting ?? 'none']}</p>`));
  } catch (error) {
    const refused = asRejection(error, context.log);
    const isToken = refused.code === 'input.invalid';
    const words = isToken ? 'This token is unknown, used or too old.' : refused.message;
    return sendPage(reply.code(refused.code === 'auth.throttled' ? 429 : isToken ? 400 : 503), page(html`<p role="alert">${words}</p>`));
  }
};

/** Page that the confirmation mail links to. A GET changes nothing, so that link scanners confirm nothing. */
export const confirmationSurface =
  (services: Services): Surface =>
  (app: FastifyInstance) => {
    app.get('/register.php', (request, reply) => {
      const { params } = requestContext(request, { log: services.log });
      return sendPage(reply, form((textParam(params, 'auth') ?? '').slice(0, 128)));
    });
    app.post('/register.php', { bodyLimit: PAGE_BODY_BYTES }, (request, reply) => confirm(request, reply, services));
  };
