import { createRequire } from 'node:module';
import { z } from 'zod';

/** Version of the release that this program belongs to. */
export const productVersion: string = z.object({ version: z.string() }).parse(createRequire(import.meta.url)('../package.json')).version;
