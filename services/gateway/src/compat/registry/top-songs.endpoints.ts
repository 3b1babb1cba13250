import { topSongsOf } from '../../facts/alike.js';
import { artistIdNamed } from '../../reads/top-songs.reads.js';
import { artistsByIds } from '../../reads/artists.reads.js';
import { songsByIds } from '../../reads/songs.reads.js';
import { sortKey, Rejection } from '@continuo/contracts';
import { containerBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { parseIdOf } from '../ids.js';
import { songChild } from '../objects/child.object.js';
import { optionalText, pageSize } from '../parameters.js';
import { anybody, document, type UserCallBase } from './endpoint.js';

const byId = async ({ services, viewer }: UserCallBase, text: string): Promise<number> => {
  const id = parseIdOf('artist', text);
  const [artist] = id === undefined ? [] : await artistsByIds(services.db, [id], viewer);
  if (!artist) throw new Rejection('artist.not-found');
  return artist.id;
};

/** What is played most. */
export const topSongsEndpoints = {
  /** The songs of an artist that everybody together plays most, then those that plug-ins say are played elsewhere. The id wins over the name. */
  getTopSongs: document({
    access: anybody,
    params: { artist: optionalText, id: optionalText, count: pageSize(50, 500) },
    body: containerBody('topSongs', 'song', songChild),
    answer: async (call) => {
      const { params, services, viewer } = call;
      if (params.id === undefined && params.artist === undefined) throw new CompatError(10, 'Required parameter is missing: artist');
      const artistId =
        params.id === undefined
          ? await artistIdNamed(services.db, params.artist ?? '', sortKey(params.artist ?? ''))
          : await byId(call, params.id);
      if (artistId === undefined) return [];
      return songsByIds(services.db, await topSongsOf(call, { id: artistId, viewer, limit: params.count }), viewer);
    },
  }),
} as const;
