import { managePaths, type Parameter, type Schema } from './documents.js';

/** An operation of the management API, as its document says. */
export interface ManageOperation {
  readonly name: string;
  readonly method: string;
  /** Below the prefix, parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Absent from operations without a body. */
  readonly body?: Schema;
  /** Statuses of answers. */
  readonly statuses: ReadonlySet<number>;
  /** True where the answer is bytes in place of JSON. */
  readonly isBytes: boolean;
}

/** All operations of the management API. */
export const manageOperations: readonly ManageOperation[] = Object.entries(managePaths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
    name: operationId,
    method: method.toUpperCase(),
    path,
    parameters,
    ...(requestBody ? { body: requestBody.content['application/json'].schema } : {}),
    statuses: new Set(Object.keys(responses).map(Number)),
    isBytes: Object.values(responses).some(({ content = {} }) => 'application/octet-stream' in content),
  })),
);
