import { objectTable, rowsOf } from '../../../render/index.js';
import type { LicenseView } from '../../../reads/library/licenses.reads.js';
import type { NativeContext } from './context.js';

const of = rowsOf<LicenseView, NativeContext>();

/** Fields of a licence; tags only provide its name. */
export const licenseObject = objectTable<LicenseView, NativeContext>('license', [
  of.id('id', (license) => license.id),
  of.text('name', (license) => license.name),
  of.text('description', () => ''),
  of.text('external_link', (license) => license.externalLink),
]);
