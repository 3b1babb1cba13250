import type { Environment } from '@continuo/chassis';

/** The environment of this process; servers that the benchmarks start inherit it. */
export const environment: Environment = process.env;
