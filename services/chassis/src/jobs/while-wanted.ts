/** Work that ends early when nobody wants it any more. */
export interface WantedWork<T> {
  readonly work: (signal: AbortSignal) => Promise<T>;
  /** Asked again and again; an error says nothing. */
  readonly isWanted: () => Promise<boolean>;
  readonly everyMs: number;
  /** Ends the work for other reasons. */
  readonly signal: AbortSignal;
  readonly onFault: (error: unknown) => void;
}

/** Nobody wants the work any more. */
export class NotWanted extends Error {
  override readonly name = 'NotWanted';
}

/** Works while it is wanted. @throws NotWanted, whatever the work failed with then; any other error of the work */
export const whileWanted = async <T>({ work, isWanted, everyMs, signal, onFault }: WantedWork<T>): Promise<T> => {
  const unwanted = new AbortController();
  const ended = AbortSignal.any([signal, unwanted.signal]);
  const ask = async (): Promise<void> => {
    if (!(await isWanted())) unwanted.abort(new NotWanted());
  };
  const asking = setInterval(() => void ask().catch(onFault), everyMs);
  try {
    return await work(ended);
  } catch (error) {
    throw ended.reason instanceof NotWanted ? ended.reason : error;
  } finally {
    clearInterval(asking);
  }
};

/** Takes work that nobody wants any more for done: a handler of errors. @throws any other error */
export const unlessUnwanted = (error: unknown): undefined => {
  if (!(error instanceof NotWanted)) throw error;
};
