import { isRoleTaken } from '../../preferences/index.js';
import { sameDigest, sha256Hex } from '@continuo/chassis';
import { Rejection, shareId as shareIdSchema, SYSTEM_ACTOR, userId, visitShare } from '@continuo/contracts';
import { LRUCache } from 'lru-cache';
import type { AccessUse } from '../../auth/index.js';
import { textParam } from '../../server/requests/parameters.js';
import type { RequestContext } from '../../server/requests/request-context.js';
import { episodeSource, type EpisodeSource } from '../../reads/podcasts/episode-file.reads.js';
import { shareForVisitors, shareHolds, type ShareRecord } from './shares.reads.js';
import { songFile, type SongFile } from '../../reads/songs/songs.reads.js';
import { videoFile } from '../../reads/library/videos.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { disabledFeature } from '../../kinds/index.js';
import { isEpisodes, isSharingEnabled, mayDownload } from './share-policy.js';
import { listenerOf } from '../../transcode/decision/listener.js';
import { SmartlistMembers } from './shared-smartlists.js';
import { shareTokens, type ShareGrant, type ShareTokens, type ShareUse } from './share-tokens.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasAuth } from '../../auth/auth.js';
import type { HasPreferences } from '../../preferences/preferences.js';
import type { HasClock, HasCommands, HasConfig, HasSecrets, HasLog } from '../../server/needs.js';
import type { HasSmartlists } from '../smartlists/running-smartlists.js';
import { atMost } from '../../server/at-most.js';

type Services = HasAuth & HasCommands & HasConfig & HasReadModel & HasClock & HasPreferences & HasSecrets & HasSmartlists & HasLog;

/** A valid share, with the viewer that its content is read as. */
export interface OpenShare {
  readonly share: ShareRecord;
  /** The owner: visitors see only what the owner still sees. */
  readonly viewer: Viewer;
}

/** Request of a visitor. */
type ShareRequest = Pick<RequestContext, 'params' | 'auth' | 'correlationId' | 'traceparent' | 'log'>;

/** Most visitors remembered, to group requests into visits. */
const REMEMBERED = 20_000;
/** Requests from one address within this time are one visit, ms. */
const VISIT_MS = 30 * 60_000;
/** Digest for an unknown share, so that its check takes the same time. */
const NO_DIGEST = sha256Hex('');
const MAX_ID = 0x7fff_ffff;

/** The one answer for every invalid share. */
const shareNotFound = (): Rejection => new Rejection('share.not-found', 'There is nothing here, or not any more.');

const idIn = ({ params }: Pick<ShareRequest, 'params'>, name: string): number => {
  const text = textParam(params, name)?.trim() ?? '';
  return /^\d{1,10}$/.test(text) && Number(text) <= MAX_ID ? Number(text) : 0;
};

/** Checks access of visitors without an account: by the secret of a share, or by a token from its page. */
export class ShareAccess {
  readonly tokens: ShareTokens;
  private readonly members: SmartlistMembers;
  private readonly visits = new LRUCache<string, true>({ ...atMost(REMEMBERED), ttl: VISIT_MS, updateAgeOnGet: true });

  constructor(private readonly services: Services) {
    this.tokens = shareTokens(services.secrets, services.now);
    this.members = new SmartlistMembers(services);
  }

  /**
   * Opens the share of an id and a secret; counts one visit for requests that belong together.
   * @throws Rejection `share.not-found` when it is deleted, expired, used up, the owner disabled or the secret wrong: same answer, same work;
   * `auth.throttled`
   */
  async bySecret(request: ShareRequest, names: { readonly id: string; readonly secret: string }, use: AccessUse): Promise<OpenShare> {
    const id = idIn(request, names.id);
    const share = await this.shareOfSecret(request, id, textParam(request.params, names.secret) ?? '');
    const open = await this.opened(share, request, use);
    const visitor = `${id}/${this.services.auth.clientAddress(request.auth)}`;
    const isKnown = this.visits.get(visitor) !== undefined;
    const isUsedUp = share !== undefined && share.maxVisits > 0 && share.visitCount >= share.maxVisits;
    if (!open || (isUsedUp && !isKnown)) throw shareNotFound();
    if (!isKnown && (await this.count(request, open.share))) this.visits.set(visitor, true);
    return open;
  }

  /**
   * Opens the share of a token, for the use that it was signed for.
   * @throws Rejection `share.not-found` when the token is invalid or the share deleted, expired or changed; `auth.throttled`
   */
  async byToken(request: ShareRequest, token: string, use: ShareUse): Promise<OpenShare & { readonly grant: ShareGrant }> {
    const grant = await this.services.auth.checkCredential(request.auth, {
      find: () => this.tokens.check(token),
      isOver: () => this.tokens.isOurs(token),
      holderOf: () => 'unguessable',
    });
    const share = grant && (await shareForVisitors(this.services.db, grant.shareId));
    const open = await this.opened(share, request, 'stream');
    if (!open || grant?.use !== use || !isAllowed(open.share, use)) throw shareNotFound();
    return { ...open, grant };
  }

  /**
   * The file of an item on the share's page: a video in a share of videos, else a song.
   * @throws Rejection `share.not-found` as {@link song} and {@link video} do
   */
  async file(open: OpenShare, id: number): Promise<SongFile> {
    return open.share.kind === 'video' ? this.video(open, id) : this.song(open, id);
  }

  /**
   * The original file of a video of the share.
   * @throws Rejection `share.not-found` when it is no video of the share or its owner does not see it
   */
  async video({ share, viewer }: OpenShare, videoId: number): Promise<SongFile> {
    const isHeld = share.kind === 'video' && share.objectIds.includes(videoId);
    const video = isHeld ? await videoFile(this.services.db, videoId, viewer) : undefined;
    if (!video) throw shareNotFound();
    return video;
  }

  /**
   * Source of an episode of the share.
   * @throws Rejection `share.not-found` when it is no episode of the share or its owner does not see it
   */
  async episode({ share, viewer }: OpenShare, episodeId: number): Promise<EpisodeSource> {
    const source = isEpisodes(share) ? await episodeSource(this.services.db, episodeId, viewer) : undefined;
    const heldAs = share.kind === 'podcast' ? source?.episode.podcastId : source?.id;
    if (!source || heldAs === undefined || !share.objectIds.includes(heldAs)) throw shareNotFound();
    return source;
  }

  /**
   * The file of a song of the share.
   * @throws Rejection `share.not-found` when it is no song of the share or its owner does not see it
   */
  async song({ share, viewer }: OpenShare, songId: number): Promise<SongFile> {
    const { db } = this.services;
    const isFound = await this.members.has(share, songId, viewer);
    const song = isFound || (await shareHolds(db, share.id, songId, viewer)) ? await songFile(db, songId, viewer) : undefined;
    if (!song) throw shareNotFound();
    return song;
  }

  /** Finds the share of an id and a secret, in constant time. @throws Rejection `auth.throttled` */
  private shareOfSecret(request: ShareRequest, id: number, secret: string): Promise<ShareRecord | undefined> {
    const find = async (): Promise<ShareRecord | undefined> => {
      const share = await shareForVisitors(this.services.db, id);
      return sameDigest(sha256Hex(secret), share?.secretSha256 ?? NO_DIGEST) ? share : undefined;
    };
    return this.services.auth.checkCredential(request.auth, { find, holderOf: () => 'unguessable' });
  }

  private async opened(share: ShareRecord | undefined, request: ShareRequest, use: AccessUse): Promise<OpenShare | undefined> {
    const { auth, now, config } = this.services;
    const [owner, isAdmitted, preferences] = await Promise.all([
      auth.account(userId.parse(share?.userId ?? 1)),
      auth.admits(use, auth.clientAddress(request.auth), null),
      this.services.preferences.current(),
    ]);
    const isOver = share !== undefined && share.expiresAtMs !== null && share.expiresAtMs <= now();
    if (!share || !owner || owner.disabled || !isAdmitted || isOver || disabledFeature(share.kind, config) !== undefined) return undefined;
    if (!isSharingEnabled(this.services, preferences, owner.id)) return undefined;
    // An account without the role to stream cannot share streams.
    const allowStream = share.allowStream && !isRoleTaken(preferences, owner.id, 'stream');
    // An account that may not download cannot share downloads.
    const allowDownload = share.allowDownload && mayDownload(preferences, owner);
    return { share: { ...share, allowStream, allowDownload }, viewer: { ...listenerOf(owner, preferences), isAdministrator: false } };
  }

  /** Counts a visit. A failure is fatal only for shares with a visit limit. */
  private async count({ correlationId, traceparent, log }: ShareRequest, { id, maxVisits }: ShareRecord): Promise<boolean> {
    const context = { actor: SYSTEM_ACTOR, correlationId, causationId: correlationId, ...(traceparent ? { traceparent } : {}) };
    try {
      await this.services.commands.send(visitShare, { shareId: shareIdSchema.parse(id) }, context);
      return true;
    } catch (error) {
      if (error instanceof Rejection && error.code === 'share.not-found') throw shareNotFound();
      if (maxVisits > 0) throw error;
      log.warn({ err: error, shareId: id }, 'Failed to count a visit of a share; access is granted without it');
      return false;
    }
  }
}

const isAllowed = ({ allowStream, allowDownload }: ShareRecord, use: ShareUse): boolean =>
  use === 'art' || (use === 'play' ? allowStream : allowDownload);
