import { findTopSongs } from '../../../../features/external-metadata/similar.js';
import { artistIdNamed } from '../../../../reads/songs/top-songs.reads.js';
import { artistsByIds } from '../../../../reads/library/artists.reads.js';
import { songsByIds } from '../../../../reads/songs/songs.reads.js';
import { sortKey, Rejection } from '@continuo/contracts';
import { containerBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { parseIdOf } from '../../ids.js';
import { songChild } from '../../objects/child.object.js';
import { optionalText, pageSize } from '../../parameters.js';
import { endpointsUsing, anybody, type UserCallBase } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasCommands, HasConfig, HasClock } from '../../../../server/needs.js';
import type { HasPlugins } from '../../../../features/external-metadata/plugin-directory.js';

type Services = HasCommands & HasReadModel & HasConfig & HasPlugins & HasClock;
const { document } = endpointsUsing<Services>();

const byId = async ({ services, viewer }: UserCallBase<Services>, text: string): Promise<number> => {
  const id = parseIdOf('artist', text);
  const [artist] = id === undefined ? [] : await artistsByIds(services.db, [id], viewer);
  if (!artist) throw new Rejection('artist.not-found');
  return artist.id;
};

/** Operation for the most played songs. */
export const topSongsEndpoints = {
  /** Songs of an artist by plays of all accounts, then those that plug-ins name. The id wins over the name. */
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
      return songsByIds(services.db, await findTopSongs(call, { id: artistId, viewer, limit: params.count }), viewer);
    },
  }),
} as const;
