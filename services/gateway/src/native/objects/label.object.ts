import { objectTable, rowsOf } from '../../render/index.js';
import type { LabelView } from '../../reads/labels.reads.js';
import type { NativeContext } from './context.js';

const of = rowsOf<LabelView, NativeContext>();

/** Where a label comes from that nobody entered. */
const CATEGORY = 'tag_generated';
/** The account behind what no person made (native README section 14). */
const SYSTEM_USER = -1;

/** versions.md sections 6.1 and 7.1. Tags name labels and tell nothing else of them. */
export const labelObject = objectTable<LabelView, NativeContext>('label', [
  of.id('id', (label) => label.id),
  of.text('name', (label) => label.name),
  of.num('artists', (label) => label.artistCount, { xml: 'cdata' }),
  of.text('summary', () => null),
  of.text('external_link', (label, { links }) => links.label(label.id)),
  of.text('address', () => null),
  of.text('category', () => CATEGORY),
  of.text('email', () => null),
  of.text('website', () => null),
  of.id('user', () => SYSTEM_USER, { xml: 'cdata' }),
]);
