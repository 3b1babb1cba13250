import { Rejection } from '@continuo/contracts';
import type { FastifyRequest } from 'fastify';

type Parts = ReturnType<FastifyRequest['parts']>;

/** The parser tells by codes what it refuses; what has none it could not read: no boundary, an end that does not come, heads that are none. */
const unreadable = (error: unknown): unknown =>
  error instanceof Error && !('code' in error)
    ? new Rejection('input.invalid', 'the form cannot be read', undefined, { cause: error })
    : error;

/**
 * The parts of a form, one after the other.
 * @throws Rejection `input.invalid` for a body that is no such form, whatever its type says
 */
export async function* formParts(request: FastifyRequest, options?: Parameters<FastifyRequest['parts']>[0]): Parts {
  try {
    yield* request.parts(options);
  } catch (error) {
    throw unreadable(error);
  }
}

/**
 * The text of a field. A field that says that it is JSON comes parsed, and may be anything, such as an object that refuses to become a text.
 * @throws Rejection `input.too-large` for a field that was cut off, `input.invalid` for JSON of too many levels
 */
export const fieldText = ({ value, valueTruncated }: { readonly value: unknown; readonly valueTruncated?: boolean }): string => {
  if (valueTruncated === true) throw new Rejection('input.too-large', 'a field of the form is too long');
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value ?? null);
  } catch (error) {
    throw new Rejection('input.invalid', 'a field of the form has too many levels', undefined, { cause: error });
  }
};
