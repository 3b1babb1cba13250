import { errorTable, type ErrorCode } from '@continuo/contracts';

type NotFoundCode = Extract<ErrorCode, `${string}not-found`>;

/**
 * A value for every rejection, complete by type: `absent` for those about a thing that does not exist, unless the table has a row of its own
 * for one of them.
 */
export const errorTableOf = <T>(
  absent: T,
  others: Readonly<Record<Exclude<ErrorCode, NotFoundCode>, T> & Partial<Record<NotFoundCode, T>>>,
): Readonly<Record<ErrorCode, T>> => {
  const codes = Object.keys(errorTable) as ErrorCode[];
  return Object.fromEntries(codes.map((code) => [code, others[code] ?? absent])) as Record<ErrorCode, T>;
};
