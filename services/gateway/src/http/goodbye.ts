import type { FastifyInstance } from 'fastify';

/**
 * Sends clients and load balancers elsewhere while the gateway drains: each answer says that it is the last one on its connection. What comes in is answered all the same, as long as
 * anything comes in.
 */
export const sayGoodbye = (app: FastifyInstance, isDraining: () => boolean): void => {
  // When the answer is sent, not when the request comes: the drain may begin between the two.
  app.addHook('onSend', async (_request, reply) => {
    if (isDraining()) reply.header('connection', 'close');
  });
};
