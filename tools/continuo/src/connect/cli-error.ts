/** Something that the person at the terminal can put right. The message is all that is shown; the remedy goes on a line of its own. */
export class CliError extends Error {
  override readonly name = 'CliError';
  constructor(
    message: string,
    readonly remedy?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
