import { specFor } from '@continuo/chassis/testkit';
import { accessRuleAdded, accessRuleRemoved, accessRuleSwitched } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { accessList } from './access-list.decider.js';
import { shippedRules } from './shipped-rules.js';

const { given } = specFor(accessList);
const rule = {
  name: 'home',
  level: 100 as const,
  userId: null,
  type: 'rpc' as const,
  startAddress: '192.168.0.0',
  endAddress: '192.168.0.255',
  enabled: true,
};
const added = accessRuleAdded({ ...rule, ruleId: 1 });

describe('accessList', () => {
  it('ships interface, stream and rpc for both address families at level 75', () => {
    expect(shippedRules.map(({ type, startAddress, level, userId }) => [type, startAddress, level, userId])).toEqual(
      ['0.0.0.0', '::'].flatMap((start) => ['interface', 'stream', 'rpc'].map((type) => [type, start, 75, null])),
    );
    given([])
      .when({ type: 'ship', rules: shippedRules })
      .then(shippedRules.map((shipped, index) => accessRuleAdded({ ...shipped, ruleId: index + 1 })));
  });

  it('ships nothing into a list that ever had a row', () => {
    given([added]).when({ type: 'ship', rules: shippedRules }).then([]);
    given([added, accessRuleRemoved({ ruleId: 1 })])
      .when({ type: 'ship', rules: shippedRules })
      .then([]);
  });

  it('numbers rows on and never reuses a number', () => {
    given([]).when({ type: 'add', rule }).then([added]);
    given([added, accessRuleRemoved({ ruleId: 1 })])
      .when({ type: 'add', rule })
      .then([accessRuleAdded({ ...rule, ruleId: 2 })]);
  });

  it('switches a row off and on, and says nothing when it is so already', () => {
    const off = accessRuleSwitched({ ruleId: 1, enabled: false });
    const on = accessRuleSwitched({ ruleId: 1, enabled: true });
    given([added]).when({ type: 'switch', ruleId: 1, enabled: false }).then([off]);
    given([added]).when({ type: 'switch', ruleId: 1, enabled: true }).then([]);
    given([added, off]).when({ type: 'switch', ruleId: 1, enabled: false }).then([]);
    given([added, off]).when({ type: 'switch', ruleId: 1, enabled: true }).then([on]);
    given([accessRuleAdded({ ...rule, ruleId: 1, enabled: false })])
      .when({ type: 'switch', ruleId: 1, enabled: true })
      .then([on]);
    given([]).when({ type: 'switch', ruleId: 1, enabled: true }).thenRejected('input.invalid');
  });

  it('removes a row once', () => {
    given([added])
      .when({ type: 'remove', ruleId: 1 })
      .then([accessRuleRemoved({ ruleId: 1 })]);
    given([]).when({ type: 'remove', ruleId: 1 }).then([]);
  });
});
