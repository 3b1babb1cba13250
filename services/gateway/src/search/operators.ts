/**
 * Families of operators: what a rule's operand is, and which comparisons a client may choose (search rules, section `operators`). Genre rules are of the
 * family `text`, as they are recorded: the family `tags` that documents name has the first six of its operators.
 */
export type Family =
  | 'numeric'
  | 'is_true'
  | 'boolean'
  | 'text'
  | 'boolean_numeric'
  | 'boolean_subsearch'
  | 'date'
  | 'days'
  | 'recent_played'
  | 'recent_added'
  | 'recent_updated'
  | 'user_numeric'
  | 'multiple';

const NUMERIC = ['gte', 'lte', 'equal', 'ne', 'gt', 'lt'] as const;
const TEXT = ['contain', 'notcontain', 'start', 'end', 'equal', 'not equal', 'sounds', 'notsounds', 'regexp', 'notregexp'] as const;
const USER_NUMERIC = ['love', '5star', '4star', '3star', '2star', '1star', 'unrated'] as const;

/** Operator of numbers. */
export type NumericCode = (typeof NUMERIC)[number];
/** Operator of texts. */
export type TextCode = (typeof TEXT)[number];
/** Operator on another account's annotation. */
export type UserCode = (typeof USER_NUMERIC)[number];

/** The numeric half of the family `multiple` has codes of its own, because both halves know `equal`. */
const asNumber = (code: NumericCode): string => `number ${code}`;

/** Operator codes of each family; the place of a code is its number. Stored rules hold codes, requests hold numbers. */
export const operators: Readonly<Record<Family, readonly string[]>> = {
  numeric: NUMERIC,
  is_true: ['true'],
  boolean: ['true', 'false'],
  text: TEXT,
  boolean_numeric: ['equal', 'ne'],
  boolean_subsearch: ['equal', 'ne'],
  date: ['lt', 'gt'],
  days: ['lt', 'gt'],
  recent_played: ['ply'],
  recent_added: ['add'],
  recent_updated: ['upd'],
  user_numeric: USER_NUMERIC,
  multiple: [...TEXT, ...NUMERIC.map(asNumber)],
};

/** Families whose only operator stands whatever number is sent. */
const IGNORED: ReadonlySet<Family> = new Set(['is_true', 'recent_played', 'recent_added', 'recent_updated']);

/** The code behind an operator's number; undefined for a number that the family does not have. */
export const operatorCode = (family: Family, number: string): string | undefined => {
  const codes = operators[family];
  if (IGNORED.has(family)) return codes[0];
  return /^\d{1,2}$/.test(number.trim()) ? codes[Number(number)] : undefined;
};

/** The number by which requests name an operator; undefined for a code that the family does not have. */
export const operatorNumber = (family: Family, code: string): number | undefined => {
  const number = operators[family].indexOf(code);
  return number < 0 ? undefined : number;
};

/** An operator by its code or its number; undefined for one that the family does not have. */
export const operatorOf = (family: Family, text: string): string | undefined =>
  operators[family].includes(text) ? text : operatorCode(family, text);

/** True for a code that the family has. */
export const knowsOperator = (family: Family, code: string): boolean => operators[family].includes(code);

/** The comparison behind a numeric code of the family `multiple`; undefined for its texts. */
export const numberCode = (code: string): NumericCode | undefined => NUMERIC.find((known) => asNumber(known) === code);

/** A text comparison without its negation. */
export type PositiveTextCode = Exclude<TextCode, `not${string}`>;

/** A text comparison as what has to match and whether it must not. */
export const textComparison = (code: TextCode): { readonly positive: PositiveTextCode; readonly negated: boolean } => ({
  positive: code.replace(/^not ?/, '') as PositiveTextCode,
  negated: code.startsWith('not'),
});

/** True when an operand is a regular expression, in which `|` has its own meaning. */
export const isRegex = (code: string): boolean => code === 'regexp' || code === 'notregexp';
