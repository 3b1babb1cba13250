import type { FastifyInstance } from 'fastify';

/**
 * Closes keep-alive connections while the gateway drains, so that clients reconnect elsewhere: each answer has `Connection: close`. Requests are still answered as long as
 * they arrive.
 */
export const closeKeepAliveWhileDraining = (app: FastifyInstance, isDraining: () => boolean): void => {
  // On send, not on request: the drain may begin between the two.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
};
