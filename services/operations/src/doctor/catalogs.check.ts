import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { parseStorageAddress } from '@continuo/contracts';
import type { Session } from '../connect/session.js';
import { fault, ok, reasonOf, warning, type Finding } from './finding.js';

interface Catalog {
  readonly id: number;
  readonly name: string;
  readonly path: string;
}

const isFolder = ({ path }: Catalog): boolean => parseStorageAddress(path) === undefined;

/** A folder can be read, and holds something. */
const checkFolder = async ({ name, path }: Catalog): Promise<Finding> => {
  const subject = `Catalog ${name}`;
  try {
    await access(path, constants.R_OK | constants.X_OK);
    if ((await readdir(path)).length > 0) return ok(subject, `${path} can be read`);
    return warning(subject, `${path} is empty`, 'is the disk mounted? Scans remove nothing because of an empty folder');
  } catch (error) {
    return fault(subject, `${path} cannot be read: ${reasonOf(error)}`, 'mount it, or let the user of the server read it');
  }
};

/** The last scan of each catalog that came to an end tells whether its media can be reached from where they are needed. */
const failedScans = async ({ db }: Pick<Session, 'db'>): Promise<ReadonlyMap<number, string>> => {
  const rows = await db
    .selectFrom('ingestion.scan')
    .distinctOn('catalog_id')
    .select(['catalog_id', 'state', 'message'])
    .where('state', 'in', ['finished', 'failed'])
    .orderBy('catalog_id')
    .orderBy('requested_at_ms', 'desc')
    .execute();
  return new Map(rows.flatMap(({ catalog_id, state, message }) => (state === 'failed' ? [[catalog_id, message ?? 'no reason told']] : [])));
};

/** Folders of media can be read, where this is the machine of the server, and nowhere the last scan has failed. */
export const checkCatalogs = async (session: Pick<Session, 'db'>, isSameMachine: boolean): Promise<Finding[]> => {
  try {
    const catalogs: Catalog[] = await session.db
      .selectFrom('library.catalog')
      .select(['id', 'name', 'path'])
      .where('gather_types', '!=', 'podcast')
      .where('enabled', '=', true)
      .orderBy('id')
      .execute();
    if (catalogs.length === 0) return [ok('Catalogs', 'there are none yet; "continuo catalog add <folder>" makes one')];
    const failed = await failedScans(session);
    const findings = await Promise.all(
      catalogs.map(async (catalog) => {
        const reason = failed.get(catalog.id);
        if (isSameMachine && isFolder(catalog)) {
          const found = await checkFolder(catalog);
          if (found.status !== 'ok' || reason === undefined) return found;
        }
        if (reason === undefined) return ok(`Catalog ${catalog.name}`, 'its last scan reached it');
        return warning(`Catalog ${catalog.name}`, `its last scan failed: ${reason}`, `repair that, then "continuo scan ${catalog.name}"`);
      }),
    );
    return findings;
  } catch (error) {
    return [warning('Catalogs', `cannot be read: ${reasonOf(error)}`, 'start the services; they create their tables')];
  }
};
