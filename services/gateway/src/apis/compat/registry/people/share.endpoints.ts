import { MAX_SHARE_DESCRIPTION, MAX_SHARED_OBJECTS, Rejection, type SharedKind } from '@continuo/contracts';
import { songIdsByPlaylist } from '../../../../reads/playlists/playlist-songs.reads.js';
import { openPlaylists } from '../../../../reads/playlists/playlists.reads.js';
import { songIdsByAlbum, songIdsByArtist, songsByIds } from '../../../../reads/songs/songs.reads.js';
import { episodesByIds } from '../../../../reads/podcasts/podcasts.reads.js';
import { episodeIdsByShare, SHOWN_SONGS, sharesByIds, type ShareView } from '../../../../features/share/shares.reads.js';
import { videosByIds } from '../../../../reads/library/videos.reads.js';
import { secretOf, shareUrl } from '../../../../features/share/share-address.js';
import { disabledFeature } from '../../../../kinds/index.js';
import { songIdsOfShares } from '../../../../features/share/shared-smartlists.js';
import { editShare, endShare, share, type NewShare } from '../../../../features/share/sharing.js';
import { songIdsBySmartlist } from '../../../../features/smartlists/index.js';
import { containerBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { parseId, parseIdOf, type CompatId } from '../../ids.js';
import { shareObject, type CompatShare } from '../../objects/share.object.js';
import { optionalInt, optionalText, requiredText, textList } from '../../parameters.js';
import { endpointsUsing, anybody, type UserCallBase } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasConfig, HasSealer, HasLog, HasCommands, HasClock } from '../../../../server/needs.js';
import type { HasSmartlists } from '../../../../features/smartlists/running-smartlists.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasConfig & HasReadModel & HasLists & HasSealer & HasCommands & HasLog & HasSmartlists & HasClock & HasPreferences;
const { document, action } = endpointsUsing<Services>();

const access = { ...anybody, role: 'share' } as const;
const body = containerBody('shares', 'share', shareObject);
/** Most shares in one answer, newest first: each has its songs. */
const MAX_SHARES = 500;

const nothingThere = (): CompatError => new CompatError(70, 'There is nothing with this id');
/** Adds addresses and contents to shares, in a few queries; smartlists are run. */
const withContents = async ({ services, context, viewer }: UserCallBase<Services>, views: readonly ShareView[]): Promise<CompatShare[]> => {
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

/** Songs of ids of several kinds, in order. Videos, podcasts and episodes have none and are shared with their own kind only. */
const songsBehind = async ({ services, viewer }: UserCallBase<Services>, ids: readonly CompatId[]): Promise<number[]> => {
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

/** Objects to share: those of one kind as they are, mixed ones as their songs. */
const sharedObjectsOf = async (call: UserCallBase<Services>, texts: readonly string[]): Promise<Pick<NewShare, 'kind' | 'objectIds'>> => {
  if (texts.length === 0) throw new CompatError(10, 'Required parameter is missing: id');
  const ids = texts.map((text) => {
    const id = parseId(text, 'song');
    const kind = id && Object.hasOwn(sharedKindOf, id.kind) ? sharedKindOf[id.kind] : undefined;
    if (!id || !kind || disabledFeature(kind, call.services.config) !== undefined) throw nothingThere();
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
/** 9999-12-31, the last day that all clients can parse. */
const LAST_MS = 253_402_300_799_999;
/** Expiry in epoch milliseconds; undefined when absent, null for 0, which means never. */
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

/** Operations about shares. */
export const shareEndpoints = {
  getShares: document({
    access,
    params: {},
    body,
    answer: async (call) => {
      const { services, viewer } = call;
      const query = { kind: 'share', where: [], sort: { name: 'creation_date', descending: true } } as const;
      const { ids } = await services.lists.ids(query, viewer);
      return withContents(call, await sharesByIds(services.db, ids.subarray(0, MAX_SHARES), viewer));
    },
  }),
  createShare: document({
    access,
    params: { id: textList, description, expires: expiry },
    body,
    answer: async (call) => {
      const { params } = call;
      const wanted = await sharedObjectsOf(call, params.id);
      const view = await share(call, { ...wanted, description: params.description?.trim() ?? '', expiresAtMs: params.expires });
      if (!view) throw nothingThere();
      return withContents(call, [view]);
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
      found(await editShare(call, shareIdOf(params.id), () => changes));
    },
  }),
  deleteShare: action({
    access,
    params: { id: requiredText },
    act: async (call) => found(await endShare(call, shareIdOf(call.params.id))),
  }),
} as const;
