import type { Environment } from '@continuo/chassis';
/** The environment of this process. */
export const environment: Environment = process.env;
