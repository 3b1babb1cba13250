import { isDebiansFfmpeg } from './config.mjs';

/** Names of our images: as published, under a registry that cannot be reached by mistake. */
export const names = Object.freeze({
  /** A Debian as our images stand on: tini in it, and nothing that they do not need. */
  debian: 'continuo.local/debian:12',
  /** The same with an ffmpeg. */
  media: `continuo.local/debian-${isDebiansFfmpeg ? 'its' : 'own'}-ffmpeg:12`,
  /** Only the program `node`, to be copied. */
  node: 'continuo.local/node:24-only',
  built: 'continuo.local/built:latest',
  nats: 'continuo.local/nats:2',
  meilisearch: 'continuo.local/meilisearch:1',
  postgres: 'continuo.local/postgres:18',
  /** Image of one service. */
  service: (name) => `continuo.local/continuo-${name}:latest`,
});
