import { requireRole } from '../../preferences/index.js';
import { Rejection, userId } from '@continuo/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestContext } from '../../server/requests/request-context.js';
import { asRejection, type Surface } from '../../server/server.js';
import { sendBytes, type Exchange } from '../../features/media/send-bytes.js';
import { listenerOf } from '../../transcode/decision/listener.js';
import { openWithRetry } from '../../transcode/open-with-retry.js';
import { hlsTokens, type HlsGrant, type HlsTokens } from '../../features/hls/hls-grant.js';
import { listTypeFor, segmentList } from '../../features/hls/hls-lists.js';
import { limitGrant } from '../../features/hls/hls-limit.js';
import { transcodeRequestsFor, hlsMedium, segmentTarget, type HlsMedium } from '../../features/hls/hls-media.js';
import { segmentAt } from '../../features/hls/hls-timeline.js';
import { ReadAhead } from '../../features/hls/read-ahead.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasAuth } from '../../auth/auth.js';
import type { HasTranscodes } from '../../transcode/transcodes.js';
import type { HasPreferences } from '../../preferences/preferences.js';
import type { HasClock, HasConfig, HasLog, HasMediaStore, HasSecrets } from '../../server/needs.js';

type Services = HasAuth & HasConfig & HasReadModel & HasLog & HasMediaStore & HasClock & HasPreferences & HasSecrets & HasTranscodes;

const METHODS = ['GET', 'HEAD'];
const LIST = 'list.m3u8';
const SEGMENT_TYPE = 'video/mp2t';
const SEGMENT = /^(0|[1-9]\d{0,6})\.ts$/;
/** Least level that is sent media over this API: guests are not. */
const STREAMER = 25;

const statusOf: Readonly<Partial<Record<Rejection['code'], number>>> = {
  'auth.failed': 403,
  'auth.throttled': 429,
  'access.address': 403,
  'access.denied': 403,
  'input.invalid': 400,
  'input.too-large': 400,
  'media.not-found': 404,
  'transcode.busy': 429,
  unavailable: 503,
};
const OTHERWISE = 500;
const USUAL_WAIT_S = 2;

const notThere = (): Rejection => new Rejection('media.not-found', 'There is nothing here, or not any more.');

/** Lets in who comes with a token: the account that it was made for must still be one, still see the medium, and is sent no more than it may be sent now. */
class HlsDoor {
  readonly #tokens: HlsTokens;

  constructor(private readonly services: Services) {
    this.#tokens = hlsTokens(services.secrets, services.now);
  }

  /** @throws Rejection `media.not-found` for whatever is wrong with the token or what it names, `access.address`, `auth.throttled` */
  async open(request: FastifyRequest, token: string): Promise<{ grant: HlsGrant; medium: HlsMedium }> {
    const { auth, preferences } = this.services;
    const context = requestContext(request, this.services);
    const grant = await auth.checkCredential(context.auth, {
      find: () => this.#tokens.check(token),
      isOver: () => this.#tokens.isOurs(token),
      holderOf: () => 'unguessable',
    });
    if (!grant) throw notThere();
    const account = await auth.account(userId.parse(grant.userId));
    if (!account || account.disabled || account.access < STREAMER) throw notThere();
    if (!(await auth.admits('stream', auth.clientAddress(context.auth), account.id))) throw new Rejection('access.address');
    const snapshot = await preferences.current();
    requireRole(snapshot, account.id, 'stream');
    const viewer = listenerOf(account, snapshot);
    const medium = await hlsMedium(this.services, grant, viewer);
    if (!medium) throw notThere();
    return { grant: limitGrant(grant, medium, viewer.streams?.limitKbps), medium };
  }
}

const sendText = ({ request, reply }: Exchange, text: string): FastifyReply =>
  request.method === 'HEAD' ? reply.header('content-length', Buffer.byteLength(text)).send() : reply.send(text);

const sendList = (exchange: Exchange, durationMs: number): FastifyReply => {
  exchange.reply.type(listTypeFor(exchange.request.headers['user-agent'])).header('cache-control', 'private, no-cache');
  return sendText(exchange, segmentList(durationMs, ''));
};

/** Sends one segment and has the next one made. */
const sendSegment = async (
  { request, reply }: Exchange,
  services: Services,
  ahead: ReadAhead,
  wanted: { readonly grant: HlsGrant; readonly medium: HlsMedium; readonly index: number; readonly token: string },
): Promise<FastifyReply> => {
  const { grant, medium, index, token } = wanted;
  const segment = segmentAt(medium.durationMs, index);
  if (!segment) throw notThere();
  const asked = await transcodeRequestsFor(services, medium);
  const asSegment = (mime: string): FastifyReply =>
    reply.type(mime).header('cache-control', 'private, no-cache').header('content-security-policy', "default-src 'none'; sandbox");
  // HEAD must not start a transcode.
  if (request.method === 'HEAD') return asSegment(SEGMENT_TYPE).send();
  const isGone = (): boolean => reply.raw.destroyed;
  const found = await openWithRetry(services.transcodes, asked(segmentTarget(grant, segment)), isGone);
  if (isGone() && found.state === 'growing') {
    found.body.destroy();
    return reply;
  }
  const next = segmentAt(medium.durationMs, index + 1);
  if (next) ahead.begin(`${token}/${index + 1}/${grant.soundKbps}/${grant.picture?.kbps ?? 0}`, asked(segmentTarget(grant, next)));
  if (found.state === 'finished')
    return sendBytes({ request, reply }, { ...found, cacheControl: 'private, max-age=3600', open: (range) => found.open(range) });
  return asSegment(found.mime).send(found.body);
};

/** `/rest/hls/<token>/…`: the lists and segments that `hls.m3u8` names. They need no login: the token in the address is signed and runs out. */
export const hlsSurface =
  (services: Services): Surface =>
  async (app: FastifyInstance) => {
    const door = new HlsDoor(services);
    const ahead = new ReadAhead(services.transcodes, services.log);
    await app.register(async (scope) => {
      scope.setErrorHandler((error, request, reply) => {
        const refused = asRejection(error, services.log.child({ correlationId: request.id }));
        if (refused.code === 'transcode.busy') reply.header('retry-after', Number(refused.subject) || USUAL_WAIT_S);
        return reply
          .code(statusOf[refused.code] ?? OTHERWISE)
          .type('text/plain; charset=utf-8')
          .send(`${refused.message}\n`);
      });
      scope.route<{ Params: { token: string; file: string } }>({
        method: METHODS,
        url: '/rest/hls/:token/:file',
        handler: async (request, reply) => {
          const { token, file } = request.params;
          const index = SEGMENT.exec(file)?.[1];
          if (file !== LIST && index === undefined) throw notThere();
          const { grant, medium } = await door.open(request, token);
          reply.header('referrer-policy', 'no-referrer');
          if (index === undefined) return sendList({ request, reply }, medium.durationMs);
          return sendSegment({ request, reply }, services, ahead, { grant, medium, index: Number(index), token });
        },
      });
    });
  };
