import { SERVER_VERSION } from '../native/server-version.js';

/** Server name and version in every answer of the extended form. */
export const PRODUCT = { type: 'continuo', version: SERVER_VERSION } as const;
