import { objectTable, rowsOf } from '../../render/index.js';
import type { LicenseView } from '../../reads/licenses.reads.js';
import type { NativeContext } from './context.js';

const of = rowsOf<LicenseView, NativeContext>();

/** versions.md sections 6.1 and 7.1. Tags do not describe licences. */
export const licenseObject = objectTable<LicenseView, NativeContext>('license', [
  of.id('id', (license) => license.id),
  of.text('name', (license) => license.name),
  of.text('description', () => ''),
  of.text('external_link', (license) => license.externalLink),
]);
