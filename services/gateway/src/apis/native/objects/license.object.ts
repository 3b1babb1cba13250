import type { LicenseView } from '../../../reads/library/licenses.reads.js';
import { nativeObject } from './native-object.js';

/** Fields of a licence; tags only provide its name. */
export const licenseObject = nativeObject<LicenseView>('license', (of) => [
  of.id('id', (license) => license.id),
  of.text('name', (license) => license.name),
  of.text('description', () => ''),
  of.text('external_link', (license) => license.externalLink),
]);
