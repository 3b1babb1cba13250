import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

/** The environment as this package reads it, parsed once at import. */
export interface ContainersConfig {
  /** `CONTINUO_TEST_CONTAINERS` is set: somebody wants these suites, and says so by their name in CI. */
  readonly wanted: boolean;
  /** `CONTINUO_IMAGES`: what the names of our images begin with, as for compose. */
  readonly images: string;
  /** `CONTINUO_VERSION`: their tag. */
  readonly version: string;
  /** `NATS_IMAGE` */
  readonly nats: string;
  /** `POSTGRES_IMAGE` */
  readonly postgres: string;
}

/** The only reader of the environment in this package. */
export const config: ContainersConfig = Object.freeze({
  wanted: Boolean(process.env['CONTINUO_TEST_CONTAINERS']),
  images: process.env['CONTINUO_IMAGES'] || 'ghcr.io/continuo/continuo-',
  version: process.env['CONTINUO_VERSION'] || version,
  nats: process.env['NATS_IMAGE'] || 'docker.io/library/nats:2.15.0-alpine',
  postgres: process.env['POSTGRES_IMAGE'] || 'docker.io/library/postgres:18-bookworm',
});
