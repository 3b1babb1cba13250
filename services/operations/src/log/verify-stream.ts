import { inspectStream, LogChecks, missingPositions, type StreamIntegrity } from '@continuo/chassis';
import type { EventStreamName } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { Session } from '../connect/session.js';

/** Reads every message of an event stream, and leaves what was found for the services. */
export const verifyStream = async (
  session: Pick<Session, 'manager' | 'db'>,
  stream: EventStreamName,
  onProgress: (position: number, lastPosition: number) => void,
): Promise<StreamIntegrity> => {
  const { manager } = session;
  const db = session.db as unknown as Kysely<unknown>;
  const { state } = await inspectStream({ manager, db }, stream);
  const { epoch, lastPosition: to } = state;
  const missing = await missingPositions(manager, stream, { from: 1, to, onProgress: (position) => onProgress(position, to) });
  await new LogChecks(db).finish(stream, epoch, { position: to, missing });
  return inspectStream({ manager, db }, stream, missing);
};
