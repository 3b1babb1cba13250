import type * as OperationsLibrary from '@continuo/operations';
import type { Session } from '@continuo/operations';

/** Connections of whoever operates the server. */
export type OperatorSession = Pick<Session, 'db' | 'nats' | 'manager'>;

/** Library of the command line, and the connections it works on. */
export interface OperatorTools {
  readonly library: typeof OperationsLibrary;
  readonly session: OperatorSession;
}

/** Opens the tools of operators. Nothing is loaded or opened before the first call. */
export interface Operations {
  open(): Promise<OperatorTools>;
}

/** Does what operators do. */
export interface HasOperations {
  readonly operations: Operations;
}
