/** Kind of an operator's error, for callers that answer with a status: nothing of that name, an order that contradicts the state, something that does not answer. */
export type OperatorErrorKind = 'not-found' | 'conflict' | 'unavailable' | 'invalid';

/** Something that the person at the terminal can put right. The message is all that is shown; the remedy goes on a line of its own. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly kind: OperatorErrorKind;

  constructor(
    message: string,
    readonly remedy?: string,
    { kind = 'invalid', ...options }: ErrorOptions & { readonly kind?: OperatorErrorKind } = {},
  ) {
    super(message, options);
    this.kind = kind;
  }
}
