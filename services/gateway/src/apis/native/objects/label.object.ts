import { objectTable, rowsOf } from '../../../render/index.js';
import type { LabelView } from '../../../reads/library/labels.reads.js';
import type { NativeContext } from './context.js';

const of = rowsOf<LabelView, NativeContext>();

/** Category of labels from tags. */
const CATEGORY = 'tag_generated';
/** Id of the system account. */
const SYSTEM_USER = -1;

/** Fields of a label; tags only provide its name. */
export const labelObject = objectTable<LabelView, NativeContext>('label', [
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
