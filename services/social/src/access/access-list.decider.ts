import type { Aggregate } from '@continuo/chassis';
import { accessRuleAdded, accessRuleRemoved, type AccessListEvent, type AccessRule } from '@continuo/contracts';

/** What is asked of the access list. `ship` adds the rows of a new installation, once. */
export type AccessListCommand =
  | { readonly type: 'ship'; readonly rules: readonly Omit<AccessRule, 'ruleId'>[] }
  | { readonly type: 'add'; readonly rule: Omit<AccessRule, 'ruleId'> }
  | { readonly type: 'remove'; readonly ruleId: number };

/** Which rows there are, and the last number given to one. */
export interface AccessListState {
  readonly ruleIds: readonly number[];
  readonly lastRuleId: number;
}

const decide = (state: AccessListState, command: AccessListCommand): readonly AccessListEvent[] => {
  switch (command.type) {
    case 'ship':
      // A list that ever had a row is the operator's: emptied on purpose it stays empty.
      return state.lastRuleId > 0 ? [] : command.rules.map((rule, index) => accessRuleAdded({ ...rule, ruleId: index + 1 }));
    case 'add':
      return [accessRuleAdded({ ...command.rule, ruleId: state.lastRuleId + 1 })];
    case 'remove':
      return state.ruleIds.includes(command.ruleId) ? [accessRuleRemoved({ ruleId: command.ruleId })] : [];
    default:
      return command satisfies never;
  }
};

const evolve = (state: AccessListState, event: AccessListEvent): AccessListState => {
  switch (event.type) {
    case 'AccessRuleAdded':
      return { ruleIds: [...state.ruleIds, event.data.ruleId], lastRuleId: Math.max(state.lastRuleId, event.data.ruleId) };
    case 'AccessRuleRemoved':
      return { ...state, ruleIds: state.ruleIds.filter((ruleId) => ruleId !== event.data.ruleId) };
    default:
      return state;
  }
};

/** The id of the one access list. */
export const ACCESS_LIST_ID = 1;

/** The access list: small, so it is one aggregate. */
export const accessList: Aggregate<AccessListState, AccessListCommand, AccessListEvent> = {
  context: 'social',
  kind: 'access-list',
  initialState: { ruleIds: [], lastRuleId: 0 },
  decide,
  evolve,
};
