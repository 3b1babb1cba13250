import { MAX_SHARE_DESCRIPTION, MAX_SHARED_OBJECTS, Rejection, type SharedKind } from '@continuo/contracts';
import { songIdsByPlaylist } from '../../reads/playlist-songs.reads.js';
import { openPlaylists } from '../../reads/playlists.reads.js';
import { songIdsByAlbum, songIdsByArtist, songsByIds } from '../../reads/songs.reads.js';
import { episodesByIds } from '../../reads/podcasts.reads.js';
import { episodeIdsByShare, SHOWN_SONGS, sharesByIds, type ShareView } from '../../reads/shares.reads.js';
import { videosByIds } from '../../reads/videos.reads.js';
import { secretOf, shareUrl } from '../../share/share-address.js';
import { isServed } from '../../share/share-policy.js';
import { songIdsOfShares } from '../../share/shared-smartlists.js';
import { editShare, endShare, share, type NewShare, type Sharer } from '../../share/sharing.js';
import { songIdsBySmartlist } from '../../smartlists/index.js';
import { containerBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { parseId, parseIdOf, type CompatId } from '../ids.js';
import { shareObject, type CompatShare } from '../objects/share.object.js';
import { optionalInt, optionalText, requiredText, textList } from '../parameters.js';
import { action, anybody, document, type UserCallBase } from './endpoint.js';

const access = { ...anybody, role: 'share' } as const;
const body = containerBody('shares', 'share', shareObject);
/** As many shares as one answer shows, the newest: each comes with its songs. */
const MAX_SHARES = 500;

const nothingThere = (): CompatError => new CompatError(70, 'There is nothing with this id');
const sharerOf = ({ services, context, viewer }: UserCallBase): Sharer => ({ services, context, viewer });

/** Adds to shares what clients show of them: a few statements whatever their number, but for smartlists, which are run. */
const described = async ({ services, context, viewer }: UserCallBase, views: readonly ShareView[]): Promise<CompatShare[]> => {
  const idsOf = await songIdsOfShares(services, views, viewer);
  const ids = new Set([...idsOf.values()].flat());
  const songs = new Map((await songsByIds(services.db, [...ids], viewer)).map((song) => [song.doc.id, song]));
  const shownVideos = ({ kind, objectIds }: ShareView): readonly number[] =>
    kind === 'video' && services.config.ALLOW_VIDEO ? objectIds.slice(0, SHOWN_SONGS) : [];
  const episodeIds = await episodeIdsByShare(services.db, services.config.PODCAST ? views : [], viewer);
  const allEpisodes = await episodesByIds(services.db, [...new Set([...episodeIds.values()].flat())], viewer);
  const episodes = new Map(allEpisodes.map((episode) => [episode.id, episode]));
  const videoIds = [...new Set(views.flatMap(shownVideos))];
  const videos = new Map((await videosByIds(services.db, videoIds, viewer)).map((video) => [video.id, video]));
  return views.map((view) => {
    const secret = secretOf(services, view);
    const url = secret === null ? '' : shareUrl(context.baseUrl, view.id, secret);
    return {
      view,
      url,
      songs: (idsOf.get(view.id) ?? []).flatMap((id) => songs.get(id) ?? []),
      videos: shownVideos(view).flatMap((id) => videos.get(id) ?? []),
      episodes: (episodeIds.get(view.id) ?? []).flatMap((id) => episodes.get(id) ?? []),
    };
  });
};

const sharedKindOf: Readonly<Record<string, SharedKind>> = {
  song: 'song',
  album: 'album',
  artist: 'artist',
  playlist: 'playlist',
  smartlist: 'search',
  video: 'video',
  podcast: 'podcast',
  episode: 'podcast_episode',
};

/** The songs behind ids of several kinds, in the order of the ids. A video has none, so that it is shared with other videos alone; so have podcasts and episodes. */
const songsBehind = async ({ services, viewer }: UserCallBase, ids: readonly CompatId[]): Promise<number[]> => {
  const { db } = services;
  const of = (kind: string): number[] => ids.filter((one) => one.kind === kind).map(({ id }) => id);
  const [albums, artists, lists, found] = await Promise.all([
    songIdsByAlbum(db, of('album'), viewer),
    songIdsByArtist(db, of('artist'), viewer),
    openPlaylists(db, of('playlist'), viewer),
    songIdsBySmartlist({ services, viewer }, of('smartlist')),
  ]);
  const listed = await songIdsByPlaylist(db, lists, viewer);
  const inside: Readonly<Record<string, (id: number) => readonly number[]>> = {
    song: (id) => [id],
    album: (id) => albums.get(id) ?? [],
    artist: (id) => artists.get(id) ?? [],
    playlist: (id) => Array.from(listed(id)),
    smartlist: (id) => Array.from(found(id)),
  };
  return ids.flatMap(({ kind, id }) => {
    const songs = inside[kind]?.(id) ?? [];
    if (songs.length === 0) throw nothingThere();
    return songs;
  });
};

/** What several ids share: things of one kind as they are, others as their songs. */
const wantedOf = async (call: UserCallBase, texts: readonly string[]): Promise<Pick<NewShare, 'kind' | 'objectIds'>> => {
  if (texts.length === 0) throw new CompatError(10, 'Required parameter is missing: id');
  const ids = texts.map((text) => {
    const id = parseId(text, 'song');
    const kind = id && Object.hasOwn(sharedKindOf, id.kind) ? sharedKindOf[id.kind] : undefined;
    if (!id || !kind || !isServed({ kind }, call.services.config)) throw nothingThere();
    return id;
  });
  const [first] = ids;
  const isOneKind = ids.every(({ kind }) => kind === first?.kind);
  const kind = (isOneKind && first ? sharedKindOf[first.kind] : undefined) ?? 'song';
  const objectIds = isOneKind ? ids.map(({ id }) => id) : await songsBehind(call, ids);
  if (objectIds.length > MAX_SHARED_OBJECTS) throw new CompatError(0, `At most ${MAX_SHARED_OBJECTS} things fit into one share`);
  return { kind, objectIds };
};

const description = optionalText.transform((text) => text?.toWellFormed().slice(0, MAX_SHARE_DESCRIPTION));
/** 9999-12-31, the last day that every client can read. */
const LAST_MS = 253_402_300_799_999;
/** Milliseconds since 1970; undefined when nothing is said, null for 0, which means never. */
const expiry = optionalInt.transform((atMs) => {
  if (atMs === undefined || atMs < 0) return undefined;
  return atMs === 0 ? null : Math.min(atMs, LAST_MS);
});

const shareIdOf = (text: string): number => {
  const id = parseIdOf('share', text);
  if (id === undefined) throw new Rejection('share.not-found');
  return id;
};
const found = (view: ShareView | undefined): void => {
  if (!view) throw new Rejection('share.not-found');
};

/** Shares: links for people without an account (compat facts, section 8.9). */
export const shareEndpoints = {
  getShares: document({
    access,
    params: {},
    body,
    answer: async (call) => {
      const { services, viewer } = call;
      const query = { kind: 'share', where: [], sort: { name: 'creation_date', descending: true } } as const;
      const { ids } = await services.lists.ids(query, viewer);
      return described(call, await sharesByIds(services.db, ids.subarray(0, MAX_SHARES), viewer));
    },
  }),
  createShare: document({
    access,
    params: { id: textList, description, expires: expiry },
    body,
    answer: async (call) => {
      const { params } = call;
      const wanted = await wantedOf(call, params.id);
      const view = await share(sharerOf(call), { ...wanted, description: params.description?.trim() ?? '', expiresAtMs: params.expires });
      if (!view) throw nothingThere();
      return described(call, [view]);
    },
  }),
  updateShare: action({
    access,
    params: { id: requiredText, description, expires: expiry },
    act: async (call) => {
      const { params } = call;
      const changes = {
        ...(params.description === undefined ? {} : { description: params.description }),
        ...(params.expires === undefined ? {} : { expiresAtMs: params.expires }),
      };
      found(await editShare(sharerOf(call), shareIdOf(params.id), () => changes));
    },
  }),
  deleteShare: action({
    access,
    params: { id: requiredText },
    act: async (call) => found(await endShare(sharerOf(call), shareIdOf(call.params.id))),
  }),
} as const;
