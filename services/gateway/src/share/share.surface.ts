import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageHeads } from '../http/heads.js';
import { textParam } from '../http/parameters.js';
import { requestContext, type RequestContext } from '../http/request-context.js';
import { asRejection, type Surface } from '../http/server.js';
import { sendArt } from '../media/send-art.js';
import { sendEpisode } from '../media/send-episode.js';
import { sendMedia } from '../media/send-media.js';
import type { GatewayServices } from '../services.js';
import { shareArt, shareContents } from './share-contents.js';
import type { ShareDoor } from './share-door.js';
import { isEpisodes } from './share-policy.js';
import { deadSharePage, sharePage } from './share-page.js';
import type { ShareUse } from './share-tokens.js';

const METHODS = ['GET', 'HEAD'];
/** Sides of the picture in the page. */
const ART_SIZE = { widthPx: 600, heightPx: 600 };

const contextOf = (request: FastifyRequest, { log, config }: GatewayServices): RequestContext =>
  requestContext(request, { log, ...(config.PUBLIC_URL && { publicUrl: config.PUBLIC_URL }) });

/**
 * Heads of a page: only its own style and script run, nothing comes from elsewhere but episodes that are not kept here, nobody may frame it, and the address, which holds the secret, goes
 * nowhere and is kept nowhere.
 */
const asPage = (reply: FastifyReply, nonce: string, media = "'self'"): FastifyReply =>
  pageHeads(reply)
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self'; media-src ${media}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );

const newNonce = (): string => randomBytes(18).toString('base64url');

const sendPage = (request: FastifyRequest, reply: FastifyReply, html: string): FastifyReply =>
  request.method === 'HEAD' ? reply.header('content-length', Buffer.byteLength(html)).send() : reply.send(html);

const page = async (request: FastifyRequest, reply: FastifyReply, services: GatewayServices, door: ShareDoor): Promise<FastifyReply> => {
  const open = await door.bySecret(contextOf(request, services), { id: 'id', secret: 'secret' }, 'interface');
  const nonce = newNonce();
  const contents = await shareContents(services, open);
  const html = sharePage({ share: open.share, contents, tokens: door.tokens, nonce });
  const isElsewhere = contents.episodes.some(({ path }) => path === null);
  return sendPage(request, asPage(reply, nonce, isElsewhere ? "'self' https: http:" : "'self'"), html);
};

const bytes =
  (use: ShareUse, services: GatewayServices, door: ShareDoor) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const context = contextOf(request, services);
    const open = await door.byToken(context, textParam(context.params, 'token') ?? '', use);
    reply.header('referrer-policy', 'no-referrer').header('cross-origin-resource-policy', 'same-origin');
    if (use === 'art') {
      return sendArt({ request, reply }, services, { hash: await shareArt(services, open), size: ART_SIZE, orPlaceholder: true });
    }
    const isKept = use === 'download';
    const wish = isKept ? ({ format: 'raw' } as const) : {};
    if (isEpisodes(open.share)) {
      const source = await door.episode(open, open.grant.itemId);
      return sendEpisode({ request, reply }, services, { source, viewer: open.viewer, attachment: isKept, wishFor: () => wish });
    }
    const file = await door.file(open, open.grant.itemId);
    return sendMedia({ request, reply }, services, { file, viewer: open.viewer, attachment: isKept, wish });
  };

/** `/share.php`, the page of a share, and the bytes in it. Whatever is wrong with a share, its visitors get one and the same page, status 404. */
export const shareSurface =
  (services: GatewayServices, door: ShareDoor): Surface =>
  async (app: FastifyInstance) => {
    await app.register(async (scope) => {
      scope.setErrorHandler((error, request, reply) => {
        const refused = asRejection(error, services.log.child({ correlationId: request.id }));
        const nonce = newNonce();
        const isTrouble = refused.code === 'unavailable' || refused.code === 'internal';
        if (!isTrouble) return sendPage(request, asPage(reply, nonce).code(404), deadSharePage(nonce));
        return asPage(reply, nonce)
          .code(refused.code === 'internal' ? 500 : 503)
          .type('text/plain; charset=utf-8')
          .send(`${refused.message}\n`);
      });
      scope.route({ method: METHODS, url: '/share.php', handler: (request, reply) => page(request, reply, services, door) });
      for (const use of ['play', 'download', 'art'] as const)
        scope.route({ method: METHODS, url: `/share.php/${use}`, handler: bytes(use, services, door) });
    });
  };
