import { baseConfig, type Environment } from '@continuo/chassis';
import type { z } from 'zod';

/** Settings of the library service: those that every service has. */
export const libraryConfig = baseConfig;
export type LibraryConfig = z.infer<typeof libraryConfig>;

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
