import { Rejection, type EventStreamName } from '@continuo/contracts';

/** Thrown when events are missing in a log: going on would show, or decide on, a false state. */
export class LogDamaged extends Rejection {
  constructor(
    readonly stream: EventStreamName,
    readonly detail: string,
  ) {
    super(
      'unavailable',
      `the event log ${stream} is damaged: ${detail}; commands are refused until it is repaired, see docs/operate/recover.md`,
    );
  }
}
