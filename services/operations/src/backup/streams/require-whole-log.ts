import { acceptedLossIn, gapBetween, missingPositions, missingText, streamState, without, type Gap } from '@continuo/chassis';
import { eventStreams } from '@continuo/contracts';
import type { JetStreamManager } from '@nats-io/jetstream';
import { OperatorError } from '../../connect/operator-error.js';
import type { StreamEntry } from '../format/manifest.js';

/** Positions of a stream in a backup whose loss had been accepted. */
export const acceptedLossOf = ({ config, state }: Pick<StreamEntry, 'config' | 'state'>): readonly Gap[] =>
  without(acceptedLossIn((config['metadata'] ?? {}) as Record<string, string>), gapBetween(state.last_seq, Number.POSITIVE_INFINITY));

/**
 * Reads every message of the event streams before a backup is made of them, because a copy of a damaged log must not take the place of older, whole backups.
 * @throws OperatorError when a message is missing whose loss nobody has accepted
 */
export const requireWholeLog = async (manager: JetStreamManager, names: readonly string[]): Promise<void> => {
  for (const stream of Object.values(eventStreams).filter((name) => names.includes(name))) {
    const { lastPosition, acceptedLoss } = await streamState(manager, stream);
    const missing = without(await missingPositions(manager, stream, { from: 1, to: lastPosition }), acceptedLoss);
    if (missing.length > 0)
      throw new OperatorError(
        `no backup was written: the event log ${stream} is damaged, ${missingText(missing)}`,
        'restore an older backup, or accept the loss first; docs/operate/recover.md leads through both',
      );
  }
};
