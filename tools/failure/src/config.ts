import { join } from 'node:path';

/** Root of the repository, seen from the built and from the source form of this file alike. */
export const repository: string = join(import.meta.dirname, '..', '..', '..');

/** The program of a service, as images and operators run it. */
export const programOf = (service: string): string => join(repository, 'tools/standalone/bundle', `${service}.js`);

/** `PATH` as the started services get it; they get nothing else of this process's environment. */
export const searchPath: string = process.env['PATH'] ?? '';
