import type { ServiceDependencies } from '@continuo/chassis';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Operations, OperatorTools } from './operations.js';

/** Tools over the gateway's own connections. The library of operators is loaded with the first call: most gateways never get one. */
export const connectedOperations = ({ nats, db }: Pick<ServiceDependencies, 'nats' | 'db'>): Operations => {
  let tools: Promise<OperatorTools> | undefined;
  const open = async (): Promise<OperatorTools> => {
    const [library, manager] = await Promise.all([import('@continuo/operations'), jetstreamManager(nats, { checkAPI: false })]);
    // Checkpoints of projections are no published view: the role that only reads may not see them.
    return { library, session: { nats, manager, db } };
  };
  return {
    open: () => {
      tools ??= open().catch((error: unknown) => {
        tools = undefined;
        throw error;
      });
      return tools;
    },
  };
};
