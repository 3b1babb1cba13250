import { listDeadLetters, type DeadLetter, type DeadLetterFilter } from '@continuo/chassis';
import type { Session } from '../connect/session.js';

/** The dead letters that match, the oldest first. */
export const deadLetters = async ({ nats }: Pick<Session, 'nats'>, filter: DeadLetterFilter): Promise<DeadLetter[]> => {
  const found: DeadLetter[] = [];
  for await (const letter of listDeadLetters(nats, filter)) found.push(letter);
  return found;
};
