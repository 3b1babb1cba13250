import type { Environment } from '@continuo/chassis';

/** The environment of a service of the next release. */
export const environment: Environment = process.env;
