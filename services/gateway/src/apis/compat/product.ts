import { productVersion } from '@continuo/chassis';

/** Server name and version in every answer of the extended form. */
export const PRODUCT = { type: 'continuo', version: productVersion } as const;
