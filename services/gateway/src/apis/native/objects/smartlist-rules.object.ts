import type { SmartlistRecord } from '../../../features/smartlists/index.js';
import { operatorNumber, ruleNamed, type SearchRule } from '../../../search/index.js';
import { nativeObject } from './native-object.js';
import { listIdOf } from './playlist.object.js';

/** Number of a rule's operator, as requests send it; 0 for one that its family has no more. */
const numberOf = ({ name, operator }: SearchRule): number => {
  const row = ruleNamed('song', name);
  return (row && operatorNumber(row.family, operator)) ?? 0;
};

const ruleObject = nativeObject<SearchRule>('rule', (of) => [
  of.text('name', ({ name }) => name),
  of.int('operator', numberOf),
  of.text('input', ({ input }) => input),
  of.text('subtype', ({ subtype }) => subtype, { nullable: true }),
]);

/** Rules, order and limit of a smartlist, in the form in which `smartlist_edit` takes it. */
export const smartlistRulesObject = nativeObject<SmartlistRecord>('smartlist_rules', (of) => [
  of.id('id', ({ id }) => listIdOf({ kind: 'search', id })),
  of.word('operator', ({ logic }) => logic),
  of.bool('random', ({ isRandom }) => isRandom),
  of.int('limit', ({ limit }) => limit),
  of.list('rule', ruleObject, ({ rules }) => rules),
]);
