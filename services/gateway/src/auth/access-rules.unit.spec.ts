import type { AccessRuleTable } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { ruleRow } from '../../test/auth/auth.fixture.js';
import { accessRules, type AccessQuestion } from './access-rules.js';

const ask = (rows: readonly AccessRuleTable[], question: Partial<AccessQuestion> = {}): boolean =>
  accessRules(rows)({ use: 'rpc', address: '192.0.2.7', userId: 1, level: 5, ...question });
const range = (start_address: string, end_address: string, more: Partial<AccessRuleTable> = {}) => [
  ruleRow({ start_address, end_address, ...more }),
];

describe('accessRules', () => {
  it('denies without a matching row', () => {
    expect(ask([])).toBe(false);
    expect(ask([ruleRow({ enabled: false })])).toBe(false);
    expect(ask([ruleRow()], { use: 'stream' })).toBe(false);
    expect(ask([ruleRow()], { address: 'no address' })).toBe(false);
  });

  it('covers both ends of a range, in numeric order', () => {
    for (const address of ['192.0.2.9', '192.0.2.10', '192.0.2.100'])
      expect(ask(range('192.0.2.9', '192.0.2.100'), { address })).toBe(true);
    for (const address of ['192.0.2.8', '192.0.2.101', '192.0.3.50'])
      expect(ask(range('192.0.2.9', '192.0.2.100'), { address })).toBe(false);
  });

  it('keeps the families apart, and takes mapped addresses as IPv4', () => {
    expect(ask(range('::', 'ffff::'))).toBe(false);
    expect(ask(range('2001:db8::1', '2001:db8::ff'), { address: '2001:0db8:0:0::10' })).toBe(true);
    expect(ask(range('2001:db8::1', '2001:db8::ff'), { address: '2001:db8::100' })).toBe(false);
    expect(ask(range('192.0.2.0', '192.0.2.255'), { address: '::ffff:192.0.2.7' })).toBe(true);
    expect(ask([ruleRow({ start_address: '::', end_address: '1.2.3.4' })])).toBe(false);
    expect(ask(range('::', '255.255.255.255'), { address: '::1' })).toBe(false);
  });

  it('needs the row to reach the level and to be for everybody or for the caller', () => {
    expect(ask([ruleRow({ level: 25 })], { level: 25 })).toBe(true);
    expect(ask([ruleRow({ level: 25 })], { level: 50 })).toBe(false);
    expect(ask([ruleRow({ user_id: 1 })])).toBe(true);
    expect(ask([ruleRow({ user_id: 2 })])).toBe(false);
    expect(ask([ruleRow({ user_id: 2 })], { userId: null })).toBe(false);
    expect(ask([ruleRow({ user_id: 2 }), ruleRow({ id: 2 })])).toBe(true);
  });
});
