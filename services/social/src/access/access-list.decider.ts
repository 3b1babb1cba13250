import type { Aggregate } from '@continuo/chassis';
import {
  accessRuleAdded,
  accessRuleRemoved,
  accessRuleSwitched,
  Rejection,
  type AccessListEvent,
  type AccessRule,
} from '@continuo/contracts';

/** Commands of the access list. `ship` adds the rows of a new installation, once. */
export type AccessListCommand =
  | { readonly type: 'ship'; readonly rules: readonly Omit<AccessRule, 'ruleId'>[] }
  | { readonly type: 'add'; readonly rule: Omit<AccessRule, 'ruleId'> }
  | { readonly type: 'switch'; readonly ruleId: number; readonly enabled: boolean }
  | { readonly type: 'remove'; readonly ruleId: number };

/** Which rows there are, which of them do not count, and the last number given to one. */
export interface AccessListState {
  readonly ruleIds: readonly number[];
  readonly disabledIds: readonly number[];
  readonly lastRuleId: number;
}

const decide = (state: AccessListState, command: AccessListCommand): readonly AccessListEvent[] => {
  switch (command.type) {
    case 'ship':
      // A list that ever had a row is the operator's: emptied on purpose it stays empty.
      return state.lastRuleId > 0 ? [] : command.rules.map((rule, index) => accessRuleAdded({ ...rule, ruleId: index + 1 }));
    case 'add':
      return [accessRuleAdded({ ...command.rule, ruleId: state.lastRuleId + 1 })];
    case 'switch': {
      const { ruleId, enabled } = command;
      if (!state.ruleIds.includes(ruleId)) throw new Rejection('input.invalid', `there is no access rule ${ruleId}`, 'ruleId');
      return state.disabledIds.includes(ruleId) === enabled ? [accessRuleSwitched({ ruleId, enabled })] : [];
    }
    case 'remove':
      return state.ruleIds.includes(command.ruleId) ? [accessRuleRemoved({ ruleId: command.ruleId })] : [];
    default:
      return command satisfies never;
  }
};

const switched = (
  disabledIds: readonly number[],
  { ruleId, enabled }: { readonly ruleId: number; readonly enabled: boolean },
): number[] => {
  const others = disabledIds.filter((known) => known !== ruleId);
  return enabled ? others : [...others, ruleId];
};

const evolve = (state: AccessListState, event: AccessListEvent): AccessListState => {
  switch (event.type) {
    case 'AccessRuleAdded':
      return {
        ruleIds: [...state.ruleIds, event.data.ruleId],
        disabledIds: switched(state.disabledIds, event.data),
        lastRuleId: Math.max(state.lastRuleId, event.data.ruleId),
      };
    case 'AccessRuleSwitched':
      return { ...state, disabledIds: switched(state.disabledIds, event.data) };
    case 'AccessRuleRemoved': {
      const { ruleId } = event.data;
      return {
        ...state,
        ruleIds: state.ruleIds.filter((known) => known !== ruleId),
        disabledIds: switched(state.disabledIds, { ruleId, enabled: true }),
      };
    }
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
  snapshotVersion: 2,
  initialState: { ruleIds: [], disabledIds: [], lastRuleId: 0 },
  decide,
  evolve,
};
