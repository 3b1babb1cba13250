import { join } from 'node:path';
import { LOG_HAS_NO_ROOM, LogRoom, WriteProbe } from '@continuo/chassis';
import { eventStreams } from '@continuo/contracts';
import type { Session } from '../connect/session.js';
import { fault, ok, reasonOf, type Finding } from './finding.js';

const SUBJECT = 'Event log';
const REMEDY = 'make room on the disk of NATS, or give it a larger one; writing goes on by itself (docs/operate/recover.md#full-disk)';

/** Why the log cannot be written, as a sentence. @param folder on the disk of the log, when it is on this machine */
const writeFault = async (
  { nats, manager }: Pick<Session, 'nats' | 'manager'>,
  folder: string | undefined,
): Promise<string | undefined> => {
  // Nothing is written into the last of the room: nats-server would give up the stream for good.
  if (folder !== undefined && (await new LogRoom(folder).isScarce())) return LOG_HAS_NO_ROOM;
  const { config } = await manager.streams.info(eventStreams.identity);
  return new WriteProbe(nats, manager, config.num_replicas).run();
};

/**
 * The event log can be written, which only a write shows.
 * @param dataFolder of the standalone, when it is on this machine
 */
export const checkLogWrites = async (session: Pick<Session, 'nats' | 'manager'>, dataFolder: string | undefined): Promise<Finding> => {
  try {
    const reason = await writeFault(session, dataFolder === undefined ? undefined : join(dataFolder, 'nats'));
    return reason === undefined ? ok(SUBJECT, 'can be written') : fault(SUBJECT, reason, REMEDY);
  } catch (error) {
    return fault(SUBJECT, `cannot be looked at: ${reasonOf(error)}`, REMEDY);
  }
};
