import type { ErrorCode } from '@continuo/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageNonce, setPageHeaders } from '../../server/response-headers.js';
import { textParam } from '../../server/requests/parameters.js';
import { requestContext } from '../../server/requests/request-context.js';
import { asRejection, type Surface } from '../../server/server.js';
import { sendArt } from '../../features/media/send-art.js';
import { sendEpisode } from '../../features/media/send-episode.js';
import { sendMedia } from '../../features/media/send-media.js';
import { shareArt, shareContents } from '../../features/share/share-contents.js';
import type { ShareAccess } from '../../features/share/share-access.js';
import { isEpisodes } from '../../features/share/share-policy.js';
import { invalidSharePage, sharePage } from './share-page.js';
import type { ShareUse } from '../../features/share/share-tokens.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasConfig, HasLog, HasMediaStore } from '../../server/needs.js';
import type { HasSmartlists } from '../../features/smartlists/running-smartlists.js';
import type { HasTranscodes } from '../../transcode/transcodes.js';
import type { HasArt } from '../../features/media/art-images.js';

type Services = HasConfig & HasReadModel & HasLog & HasMediaStore & HasArt & HasSmartlists & HasTranscodes;

const METHODS = ['GET', 'HEAD'];
/** Statuses of errors other than an invalid share. */
const statusOf: Readonly<Partial<Record<ErrorCode, number>>> = { 'auth.throttled': 429, unavailable: 503, internal: 500 };
/** Size of the page's picture. */
const ART_SIZE = { widthPx: 600, heightPx: 600 };

/**
 * Response headers of the page: only its own style and script, no framing, no referrer and no caching, since the address contains the secret;
 * media from elsewhere only for episodes that are not kept here.
 */
const asPage = (reply: FastifyReply, nonce: string, media = "'self'"): FastifyReply =>
  setPageHeaders(reply)
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self'; media-src ${media}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );

const sendPage = (request: FastifyRequest, reply: FastifyReply, html: string): FastifyReply =>
  request.method === 'HEAD' ? reply.header('content-length', Buffer.byteLength(html)).send() : reply.send(html);

const page = async (request: FastifyRequest, reply: FastifyReply, services: Services, access: ShareAccess): Promise<FastifyReply> => {
  const open = await access.bySecret(requestContext(request, services), { id: 'id', secret: 'secret' }, 'interface');
  const nonce = pageNonce();
  const contents = await shareContents(services, open);
  const html = sharePage({ share: open.share, contents, tokens: access.tokens, nonce });
  const isElsewhere = contents.episodes.some(({ path }) => path === null);
  return sendPage(request, asPage(reply, nonce, isElsewhere ? "'self' https: http:" : "'self'"), html);
};

const bytes =
  (use: ShareUse, services: Services, access: ShareAccess) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const context = requestContext(request, services);
    const open = await access.byToken(context, textParam(context.params, 'token') ?? '', use);
    reply.header('referrer-policy', 'no-referrer').header('cross-origin-resource-policy', 'same-origin');
    if (use === 'art') {
      return sendArt({ request, reply }, services, { hash: await shareArt(services, open), size: ART_SIZE, orPlaceholder: true });
    }
    const isKept = use === 'download';
    const streamRequest = isKept ? ({ format: 'raw' } as const) : {};
    if (isEpisodes(open.share)) {
      const source = await access.episode(open, open.grant.itemId);
      return sendEpisode({ request, reply }, services, {
        source,
        viewer: open.viewer,
        attachment: isKept,
        streamRequestFor: () => streamRequest,
      });
    }
    const file = await access.file(open, open.grant.itemId);
    return sendMedia({ request, reply }, services, { file, viewer: open.viewer, attachment: isKept, streamRequest });
  };

/** `/share.php`: the page of a share and its media. Every invalid share gets the same page with status 404. */
export const shareSurface =
  (services: Services, access: ShareAccess): Surface =>
  async (app: FastifyInstance) => {
    await app.register(async (scope) => {
      scope.setErrorHandler((error, request, reply) => {
        const refused = asRejection(error, services.log.child({ correlationId: request.id }));
        const nonce = pageNonce();
        const status = statusOf[refused.code];
        if (status === undefined) return sendPage(request, asPage(reply, nonce).code(404), invalidSharePage(nonce));
        return asPage(reply, nonce).code(status).type('text/plain; charset=utf-8').send(`${refused.message}\n`);
      });
      scope.route({ method: METHODS, url: '/share.php', handler: (request, reply) => page(request, reply, services, access) });
      for (const use of ['play', 'download', 'art'] as const)
        scope.route({ method: METHODS, url: `/share.php/${use}`, handler: bytes(use, services, access) });
    });
  };
