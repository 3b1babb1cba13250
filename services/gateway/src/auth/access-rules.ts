import type { AccessRuleTable } from '@continuo/contracts';
import type { AccessUse } from './auth.js';
import { parseAddress } from './client-address.js';

/** The lowest level that a row must have for any call at all. */
export const LEAST_LEVEL = 5;

/** Question to the access list. */
export interface AccessQuestion {
  readonly use: AccessUse;
  /** The client's address as text. */
  readonly address: string;
  /** null asks for nobody in particular. */
  readonly userId: number | null;
  /** Level that a row must reach. */
  readonly level: number;
}

interface CompiledRule {
  readonly type: AccessRuleTable['type'];
  readonly userId: number | null;
  readonly level: number;
  readonly kind: string;
  readonly start: readonly number[];
  readonly end: readonly number[];
}

const compile = (row: AccessRuleTable): CompiledRule[] => {
  const [start, end] = [parseAddress(row.start_address), parseAddress(row.end_address)];
  if (!row.enabled || !start || !end || start.kind() !== end.kind()) return [];
  return [
    { type: row.type, userId: row.user_id, level: row.level, kind: start.kind(), start: start.toByteArray(), end: end.toByteArray() },
  ];
};

const compareBytes = (left: readonly number[], right: readonly number[]): number => {
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
};

/**
 * Compiles the access list. A question passes when an enabled row of that use covers the address (same family, both ends included), reaches the
 * level, and is for everybody or for this account; without such a row it fails. An address that cannot be read fails.
 */
export const accessRules = (rows: readonly AccessRuleTable[]): ((question: AccessQuestion) => boolean) => {
  const rules = rows.flatMap(compile);
  return ({ use, address, userId, level }) => {
    const parsed = parseAddress(address);
    if (!parsed) return false;
    const [kind, bytes] = [parsed.kind(), parsed.toByteArray()];
    return rules.some(
      (rule) =>
        rule.type === use &&
        rule.kind === kind &&
        rule.level >= level &&
        (rule.userId === null || rule.userId === userId) &&
        compareBytes(rule.start, bytes) <= 0 &&
        compareBytes(bytes, rule.end) <= 0,
    );
  };
};
