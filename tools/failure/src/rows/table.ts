import { handlerAfterAppend, handlerAfterWindow, handlerBeforeAppend } from './handlers.js';
import { natsOfThree } from './nats-of-three.js';
import { projectorPaused, projectorsDie } from './projectors.js';
import type { Row } from './row.js';

/** What happens when something dies: the table of the architecture, each line with what shows it. */
export const rows: readonly Row[] = [
  {
    name: 'handler-before-append',
    event: 'a handler dies before its append',
    by: 'the caller retries the same command id',
    needs: [],
    rounds: 4,
    run: handlerBeforeAppend,
  },
  {
    name: 'handler-after-append',
    event: 'a handler dies after its append, before its answer',
    by: 'message ids',
    needs: [],
    rounds: 4,
    run: handlerAfterAppend,
  },
  {
    name: 'handler-after-window',
    event: 'the same, and the caller comes again when the message ids are forgotten',
    by: 'expected positions and the command id in the events',
    needs: [],
    rounds: 4,
    run: handlerAfterWindow,
  },
  {
    name: 'projectors',
    event: 'the projector dies, or all of them do',
    by: 'rows and checkpoint in one transaction',
    needs: [],
    rounds: 6,
    run: projectorsDie,
  },
  {
    name: 'projector-paused',
    event: 'a projector stands still within a transaction and comes back after another one has taken over',
    by: 'the fence in the checkpoint',
    needs: [],
    rounds: 3,
    run: projectorPaused,
  },
  {
    name: 'nats-of-three',
    event: 'one of three NATS servers dies, the leader first',
    by: 'three copies, retries through the election',
    needs: [],
    rounds: 6,
    run: natsOfThree,
  },
];
