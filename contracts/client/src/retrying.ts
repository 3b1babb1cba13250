const TRIES = 4;
const LONGEST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;

/** Methods whose repetition does nothing twice. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

/** True when the server did nothing, or does nothing twice: too many requests are never begun; a server that is not available may have begun one. */
const mayRepeat = (request: Request, { status }: Response): boolean =>
  status === 429 || (status === 503 && (REPEATABLE.has(request.method) || request.headers.has('idempotency-key')));

/** Time that a server asks for (`Retry-After` in seconds or as a date), else one that doubles with each try, ms. */
const waitMs = (response: Response, tries: number): number => {
  const asked = response.headers.get('retry-after');
  if (asked === null) return FIRST_WAIT_MS * 2 ** (tries - 1);
  const seconds = Number(asked);
  return Math.max(0, Number.isNaN(seconds) ? Date.parse(asked) - Date.now() : seconds * 1000);
};

/** Waits; ends at once, without an error, when the signal says so: the next request then fails with its reason. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });

/** Repeats requests that a server could not take at the moment (429, 503), four tries at most; the last answer is returned. */
export const retrying =
  (fetch: typeof globalThis.fetch) =>
  async (request: Request): Promise<Response> => {
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(request.clone());
      const wait = waitMs(response, tries);
      if (tries === TRIES || wait > LONGEST_WAIT_MS || !mayRepeat(request, response)) return response;
      await response.body?.cancel();
      await pause(wait, request.signal);
    }
  };
