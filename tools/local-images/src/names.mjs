/** What our images are called: as published, under a registry that cannot be reached by mistake. */
export const names = Object.freeze({
  base: 'continuo.local/node:24',
  built: 'continuo.local/built:latest',
  nats: 'continuo.local/nats:2',
  postgres: 'continuo.local/postgres:18',
  /** Image of one service. */
  service: (name) => `continuo.local/continuo-${name}:latest`,
});
