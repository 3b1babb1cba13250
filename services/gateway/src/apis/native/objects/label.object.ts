import type { LabelView } from '../../../reads/library/labels.reads.js';
import { nativeObject } from './native-object.js';

/** Category of labels from tags. */
const CATEGORY = 'tag_generated';
/** Id of the system account. */
const SYSTEM_USER = -1;

/** Fields of a label; tags only provide its name. */
export const labelObject = nativeObject<LabelView>('label', (of) => [
  of.id('id', (label) => label.id),
  of.text('name', (label) => label.name),
  of.int('artists', (label) => label.artistCount, { xml: 'cdata' }),
  of.text('summary', () => null, { nullable: true }),
  of.text('external_link', (label, { links }) => links.label(label.id)),
  of.text('address', () => null, { nullable: true }),
  of.text('category', () => CATEGORY),
  of.text('email', () => null, { nullable: true }),
  of.text('website', () => null, { nullable: true }),
  of.id('user', () => SYSTEM_USER, { xml: 'cdata' }),
]);
