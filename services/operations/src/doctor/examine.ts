import type { Kysely } from 'kysely';
import type { Settings } from '../config.js';
import type { Access } from '../connect/locate.js';
import { openReadModel, openSession, type Session } from '../connect/session.js';
import { checkArt } from './art.check.js';
import { checkCatalogs } from './catalogs.check.js';
import { checkCertificates } from './certificates.check.js';
import { checkDatabaseClock, checkGatewayClock, checkLogClocks } from './clocks.check.js';
import { checkDataFolder } from './data-folder.check.js';
import { checkDatabase } from './database.check.js';
import { checkDurability } from './durability.check.js';
import { fault, reasonOf, type Finding } from './finding.js';
import { checkLogWrites } from './log-writes.check.js';
import { checkNats, checkQueues, checkStreams } from './nats.check.js';
import { checkPresence } from './presence.check.js';
import { checkProjections } from './projections.check.js';
import { checkDatabaseRoom, checkJetStreamRoom } from './room.check.js';
import { checkSearchIndexes } from './search.check.js';
import { checkSecret } from './secret.check.js';
import { checkFfmpeg, checkGateway } from './services.check.js';

const databaseFindings = async (access: Access): Promise<Finding[]> => {
  const db = openReadModel(access);
  try {
    const plain = db as unknown as Kysely<never>;
    const findings = await checkDatabase(plain);
    if (findings.some(({ status, subject }) => status === 'fault' && subject === 'Postgres')) return findings;
    return [...findings, await checkDatabaseRoom(plain), await checkDatabaseClock(plain), ...(await checkPresence(plain))];
  } finally {
    await db.destroy();
  }
};

const messagingFindings = async (session: Session, settings: Settings, access: Access): Promise<Finding[]> => [
  checkNats(session),
  ...(await checkDurability(access.natsUrl)),
  await checkJetStreamRoom(session),
  await checkLogWrites(session, access.dataFolder),
  ...(await checkLogClocks(session)),
  ...(await checkStreams(session)),
  ...(await checkQueues(session)),
  ...(await checkProjections(session)),
  ...(await checkSearchIndexes(session)),
  await checkFfmpeg(session),
  ...(await checkCatalogs(session, access.dataFolder !== undefined)),
  ...[await checkArt(session, settings), await checkSecret(session, settings, access)].filter((finding) => finding !== undefined),
];

const natsFindings = async (access: Access, settings: Settings): Promise<Finding[]> => {
  let session: Session;
  try {
    session = await openSession(access);
  } catch (error) {
    return [fault('NATS', reasonOf(error), 'is the server running, and NATS_URL right?')];
  }
  try {
    return await messagingFindings(session, settings, access);
  } finally {
    await session.close();
  }
};

/** Everything that can be checked from outside, in the order in which things depend on one another. */
export const examineServer = async (access: Access, settings: Settings): Promise<Finding[]> => {
  const folder = await checkDataFolder(access.dataFolder);
  const url = access.url ?? settings.PUBLIC_URL;
  const gateway = [await checkGateway({ url, metricsUrl: access.metricsUrl }), await checkGatewayClock(url)].filter(
    (finding) => finding !== undefined,
  );
  return [
    ...(folder ? [folder] : []),
    ...(await databaseFindings(access)),
    ...(await natsFindings(access, settings)),
    ...gateway,
    ...(await checkCertificates(settings.PUBLIC_URL, access.natsFiles)),
  ];
};
