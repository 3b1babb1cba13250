import { objectTable, rowsOf } from '../../../render/index.js';
import type { SmartlistRecord } from '../../../features/smartlists/index.js';
import { operatorNumber, ruleNamed, type SearchRule } from '../../../search/index.js';
import { listIdOf } from './playlist.object.js';
import type { NativeContext } from './context.js';

/** Number of a rule's operator, as requests send it; 0 for one that its family has no more. */
const numberOf = ({ name, operator }: SearchRule): number => {
  const row = ruleNamed('song', name);
  return (row && operatorNumber(row.family, operator)) ?? 0;
};

const rule = rowsOf<SearchRule, NativeContext>();
const ruleObject = objectTable<SearchRule, NativeContext>('rule', [
  rule.text('name', ({ name }) => name),
  rule.int('operator', numberOf),
  rule.text('input', ({ input }) => input),
  rule.text('subtype', ({ subtype }) => subtype, { nullable: true }),
]);

const of = rowsOf<SmartlistRecord, NativeContext>();

/** Rules, order and limit of a smartlist, in the form in which `smartlist_edit` takes it. */
export const smartlistRulesObject = objectTable<SmartlistRecord, NativeContext>('smartlist_rules', [
  of.id('id', ({ id }) => listIdOf({ kind: 'search', id })),
  of.word('operator', ({ logic }) => logic),
  of.bool('random', ({ isRandom }) => isRandom),
  of.int('limit', ({ limit }) => limit),
  of.list('rule', ruleObject, ({ rules }) => rules),
]);
