import { confirmEmail } from '@continuo/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html, type Markup } from '../account-page/markup.js';
import { pageShell, type Shell } from '../account-page/page-shell.js';
import { sendPage } from '../account-page/send-page.js';
import { runCommand } from '../commands.js';
import { textParam } from '../http/parameters.js';
import { requestContext } from '../http/request-context.js';
import { asRejection, type Surface } from '../http/server.js';
import type { GatewayServices } from '../services.js';

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

const confirm = async (request: FastifyRequest, reply: FastifyReply, services: GatewayServices): Promise<FastifyReply> => {
  const context = requestContext(request, { log: services.log });
  try {
    await services.auth.admitStranger(context.auth, 'confirm');
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

/** Where mails to people who signed up lead. Looking at the page changes nothing, so that programs that follow links in mails confirm nothing. */
export const confirmationSurface =
  (services: GatewayServices): Surface =>
  (app: FastifyInstance) => {
    app.get('/register.php', (request, reply) => {
      const { params } = requestContext(request, { log: services.log });
      return sendPage(reply, form((textParam(params, 'auth') ?? '').slice(0, 128)));
    });
    app.post('/register.php', (request, reply) => confirm(request, reply, services));
  };
