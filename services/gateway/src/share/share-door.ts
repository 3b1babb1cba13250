import { sameText, sha256Hex } from '@continuo/chassis';
import { Rejection, shareId as shareIdSchema, SYSTEM_ACTOR, userId, visitShare } from '@continuo/contracts';
import { LRUCache } from 'lru-cache';
import type { AccessUse } from '../auth/index.js';
import { textParam } from '../http/parameters.js';
import type { RequestContext } from '../http/request-context.js';
import { episodeSource, type EpisodeSource } from '../reads/episode-file.reads.js';
import { shareForVisitors, shareHolds, type ShareRecord } from '../reads/shares.reads.js';
import { songFile, type SongFile } from '../reads/songs.reads.js';
import { videoFile } from '../reads/videos.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';
import { isEpisodes, isServed, isSharing, mayDownload } from './share-policy.js';
import { listenerOf } from '../transcode/decision/listener.js';
import { SmartlistMembers } from './shared-smartlists.js';
import { shareTokens, type ShareGrant, type ShareTokens, type ShareUse } from './share-tokens.js';

/** A share that lets its visitors in, and through whose eyes they see the library. */
export interface OpenShare {
  readonly share: ShareRecord;
  /** The owner, as whom the library is read: what they may not see any more, no visitor sees. */
  readonly viewer: Viewer;
}

/** Somebody with a secret. */
type Knock = Pick<RequestContext, 'params' | 'auth' | 'correlationId' | 'traceparent' | 'log'>;

/** How many visitors are remembered, to know the requests that belong to one visit. */
const REMEMBERED = 20_000;
/** Requests from one address that follow each other more closely are one visit. */
const VISIT_MS = 30 * 60_000;
/** Stands for the digest of a share that there is not, so that nothing is quicker about it. */
const NO_DIGEST = sha256Hex('');
const MAX_ID = 0x7fff_ffff;

/** Everything that is wrong with a share is the same to its visitors: it is not there. */
const notThere = (): Rejection => new Rejection('share.not-found', 'There is nothing here, or not any more.');

const idIn = ({ params }: Pick<Knock, 'params'>, name: string): number => {
  const text = textParam(params, name)?.trim() ?? '';
  return /^\d{1,10}$/.test(text) && Number(text) <= MAX_ID ? Number(text) : 0;
};

/** Lets visitors of shares in, who have no account: by the secret of a share, or by a token that one of its pages gave them. */
export class ShareDoor {
  readonly tokens: ShareTokens;
  private readonly members: SmartlistMembers;
  private readonly visits = new LRUCache<string, true>({ max: REMEMBERED, ttl: VISIT_MS, updateAgeOnGet: true });

  constructor(private readonly services: GatewayServices) {
    this.tokens = shareTokens(services.secrets, services.now);
    this.members = new SmartlistMembers(services);
  }

  /**
   * The share that the id and the secret of a request open; a visit is counted, once however many requests belong to it.
   * @throws Rejection `share.not-found` when it is gone, over, used up, its owner disabled, or the secret another one: always the same, after the same work
   */
  async bySecret(knock: Knock, names: { readonly id: string; readonly secret: string }, use: AccessUse): Promise<OpenShare> {
    const id = idIn(knock, names.id);
    const share = await shareForVisitors(this.services.db, id);
    const given = sha256Hex(textParam(knock.params, names.secret) ?? '');
    const isRight = sameText(given, share?.secretSha256 ?? NO_DIGEST);
    const open = await this.opened(share, knock, use);
    const visitor = `${id}/${this.services.auth.clientAddress(knock.auth)}`;
    const isKnown = this.visits.get(visitor) !== undefined;
    const isUsedUp = share !== undefined && share.maxVisits > 0 && share.visitCount >= share.maxVisits;
    if (!open || !isRight || (isUsedUp && !isKnown)) throw notThere();
    if (!isKnown && (await this.count(knock, open.share))) this.visits.set(visitor, true);
    return open;
  }

  /**
   * What a token opens, for the one use that it was made for.
   * @throws Rejection `share.not-found` for a token that is none, or whose share is gone, over or another one by now
   */
  async byToken(knock: Knock, token: string, use: ShareUse): Promise<OpenShare & { readonly grant: ShareGrant }> {
    const grant = this.tokens.check(token);
    const share = grant && (await shareForVisitors(this.services.db, grant.shareId));
    const open = await this.opened(share, knock, 'stream');
    if (!open || grant?.use !== use || !isAllowed(open.share, use)) throw notThere();
    return { ...open, grant };
  }

  /**
   * The file of what the page of the share lists: of a song, in a share of videos of a video.
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
    if (!video) throw notThere();
    return video;
  }

  /**
   * Where an episode of the share is heard from.
   * @throws Rejection `share.not-found` when it is no episode of the share or its owner does not see it
   */
  async episode({ share, viewer }: OpenShare, episodeId: number): Promise<EpisodeSource> {
    const source = isEpisodes(share) ? await episodeSource(this.services.db, episodeId, viewer) : undefined;
    const heldAs = share.kind === 'podcast' ? source?.episode.podcastId : source?.id;
    if (!source || heldAs === undefined || !share.objectIds.includes(heldAs)) throw notThere();
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
    if (!song) throw notThere();
    return song;
  }

  private async opened(share: ShareRecord | undefined, knock: Knock, use: AccessUse): Promise<OpenShare | undefined> {
    const { auth, now, config } = this.services;
    const [owner, isAdmitted, preferences] = await Promise.all([
      auth.account(userId.parse(share?.userId ?? 1)),
      auth.admits(use, auth.clientAddress(knock.auth), null),
      this.services.preferences.current(),
    ]);
    const isOver = share !== undefined && share.expiresAtMs !== null && share.expiresAtMs <= now();
    if (!share || !owner || owner.disabled || !isAdmitted || isOver || !isServed(share, config)) return undefined;
    if (!isSharing(this.services, preferences, owner.id)) return undefined;
    // Who may not keep things any more lets nobody else keep them.
    const allowDownload = share.allowDownload && mayDownload(preferences, owner);
    return { share: { ...share, allowDownload }, viewer: { ...listenerOf(owner, preferences), isAdministrator: false } };
  }

  /** Counts a visit; where there is a limit it has to be counted, elsewhere the visitor need not suffer from what is wrong with counting. */
  private async count({ correlationId, traceparent, log }: Knock, { id, maxVisits }: ShareRecord): Promise<boolean> {
    const context = { actor: SYSTEM_ACTOR, correlationId, causationId: correlationId, ...(traceparent ? { traceparent } : {}) };
    try {
      await this.services.commands.send(visitShare, { shareId: shareIdSchema.parse(id) }, context);
      return true;
    } catch (error) {
      if (error instanceof Rejection && error.code === 'share.not-found') throw notThere();
      if (maxVisits > 0) throw error;
      log.warn({ err: error, shareId: id }, 'a visit could not be counted');
      return false;
    }
  }
}

const isAllowed = ({ allowStream, allowDownload }: ShareRecord, use: ShareUse): boolean =>
  use === 'art' || (use === 'play' ? allowStream : allowDownload);
