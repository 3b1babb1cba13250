import type { PreferenceDefinition } from '@continuo/contracts';
import { nativeObject } from './native-object.js';

/** A preference with a value of it. */
export interface NativePreference {
  readonly definition: PreferenceDefinition;
  readonly value: string;
  /** True when the caller may change it; only in read answers. */
  readonly hasAccess?: boolean;
}

interface Choice {
  readonly place: number;
  readonly word: string;
}
const choiceObject = nativeObject<Choice>('value', (of) => [
  of.int('id', ({ place }) => place, { xml: 'attribute' }),
  of.text('word', ({ word }) => word, { xml: 'cdata-text' }),
]);

/** Fields of a preference by version. */
export const preferenceObject = nativeObject<NativePreference>('preference', (of) => [
  of.id('id', ({ definition }) => definition.id, { since: 8 }),
  of.int('id', ({ definition }) => definition.id, { until: 6, xml: 'attribute' }),
  of.text('name', ({ definition }) => definition.name),
  of.int('level', ({ definition }) => definition.level),
  of.text('description', ({ definition }) => definition.description),
  of.text('value', ({ value }) => value),
  of.text('type', ({ definition }) => definition.type),
  of.text('category', ({ definition }) => definition.category),
  of.text('subcategory', ({ definition }) => definition.subcategory, { nullable: true }),
  of.bool('has_access', ({ hasAccess }) => hasAccess, { since: 6, optional: true }),
  of.scalars('values', ({ definition }) => definition.values, { xml: 'none', optional: true }),
  of.list('values', choiceObject, ({ definition }) => definition.values?.map((word, place) => ({ place, word })), {
    json: 'none',
    xml: 'wrapped',
    item: 'value',
    optional: true,
  }),
]);
