import { Rejection } from '@continuo/contracts';

const SHOWN_CHARS = 100;

const shown = (text: string): string => (text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text);

/** A rule that cannot be run: `parameter` is what the request called it, the value is told in part. */
export const badOperand = (parameter: string, value: string, reason: string): Rejection =>
  new Rejection('input.invalid', `${shown(value.replaceAll('\0', ' '))} (${reason})`, parameter);

/** A search that is refused as a whole. */
export const badSearch = (reason: string, parameter = 'rule_1'): Rejection => new Rejection('input.invalid', reason, parameter);

/** A parameter that must be sent. */
export const missingParameter = (parameter: string): Rejection => new Rejection('input.missing', undefined, parameter);
