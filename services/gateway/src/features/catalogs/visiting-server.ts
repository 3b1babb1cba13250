import { Rejection } from '@continuo/contracts';
import type { FastifyRequest } from 'fastify';
import { INSTANCE_HEADER, instanceOf } from '@continuo/media-store';
import type { Viewer } from '../../reads/visibility/viewer.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasSecrets } from '../../server/needs.js';

/**
 * Limits what another Continuo sees that has this one as a catalog: songs that lie here, and not those that lie on further servers. So two servers that are catalogs of each other show
 * each song once, and do not pass it to and fro for ever.
 * @throws Rejection `access.denied` for this very server
 */
export const seenByServers = async (
  { headers }: Pick<FastifyRequest, 'headers'>,
  { db, secrets }: HasReadModel & HasSecrets,
  viewer: Viewer,
): Promise<Viewer> => {
  const instance = headers[INSTANCE_HEADER];
  if (instance === undefined) return viewer;
  if (instance === instanceOf(secrets)) throw new Rejection('access.denied', 'a server cannot be a catalog of itself');
  const rows = await db.selectFrom('library.catalog').select('id').where('type', 'in', ['local', 's3']).orderBy('id').execute();
  const own = rows.map(({ id }) => id);
  return { ...viewer, catalogs: viewer.catalogs === 'all' ? own : viewer.catalogs.filter((id) => own.includes(id)) };
};
