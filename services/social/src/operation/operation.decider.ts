import type { Aggregate } from '@continuo/chassis';
import {
  operationPerformed,
  operatorWorkFailed,
  operatorWorkFinished,
  operatorWorkStarted,
  Rejection,
  type OperationEvent,
  type recordOperation,
} from '@continuo/contracts';
import type { z } from 'zod';

/** Commands of an operation. */
export type OperationCommand = z.output<typeof recordOperation.schema>;

/** State of an operation. Operations that are no long work stay `none`: they may come again. */
export interface OperationState {
  readonly status: 'none' | 'running' | 'ended';
}

const decide = ({ status }: OperationState, { type, ...command }: OperationCommand): readonly OperationEvent[] => {
  const data = command as never;
  if (type === 'perform') return [operationPerformed(data)];
  if (type === 'start') return status === 'none' ? [operatorWorkStarted(data)] : [];
  if (status === 'none') throw new Rejection('conflict', 'work that has not started cannot end');
  if (status === 'ended') return [];
  return [type === 'finish' ? operatorWorkFinished(data) : operatorWorkFailed(data)];
};

const statusAfter: Readonly<Record<OperationEvent['type'], OperationState['status']>> = {
  OperatorWorkStarted: 'running',
  OperatorWorkFinished: 'ended',
  OperatorWorkFailed: 'ended',
  OperationPerformed: 'none',
};

const evolve = (state: OperationState, { type }: OperationEvent): OperationState =>
  Object.hasOwn(statusAfter, type) ? { status: statusAfter[type] } : state;

/** Operation of an operator over the management API. */
export const operation: Aggregate<OperationState, OperationCommand, OperationEvent> = {
  context: 'social',
  kind: 'operation',
  initialState: { status: 'none' },
  decide,
  evolve,
};

/** Id of the aggregate: `backup.<id>` for work, `deleteDeadLetter.<id>` or `retryDeadLetters` for the rest. */
export const operationIdOf = (command: OperationCommand): string => {
  if (command.type !== 'perform') return `${command.kind}.${command.workId}`;
  return command.target === null ? command.operation : `${command.operation}.${command.target}`;
};
