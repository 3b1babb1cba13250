/** Settings of the administrator account of every cluster with a gateway. */
export const administrator = {
  CONTINUO_ADMIN_USER: 'failure',
  CONTINUO_ADMIN_PASSWORD: 'a suite of failures',
  CONTINUO_ADMIN_API_KEY: 'failure-key-0123456789',
} as const;

/** An answer of the compatibility API, or what came instead. */
export interface ApiAnswer {
  readonly isGood: boolean;
  /** Error text of the answer, or a note that there was no answer. */
  readonly reason: string;
  readonly body: Record<string, unknown>;
  readonly durationMs: number;
}

const PATIENCE_MS = 60_000;

/** The address of an operation of the compatibility API, with the administrator's key. */
export const apiUrl = (gateway: string, operation: string, query: Readonly<Record<string, string>> = {}): string => {
  const login = { apiKey: administrator.CONTINUO_ADMIN_API_KEY, v: '1.16.1', c: 'failure', f: 'json' };
  return `${gateway}/rest/${operation}.view?${new URLSearchParams({ ...login, ...query }).toString()}`;
};

/** Asks the compatibility API as a client would; never rejects. */
export const ask = async (gateway: string, operation: string, query: Readonly<Record<string, string>> = {}): Promise<ApiAnswer> => {
  const startedAt = performance.now();
  const outcome = await request(apiUrl(gateway, operation, query));
  return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
};

const request = async (url: string): Promise<Omit<ApiAnswer, 'durationMs'>> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { 'subsonic-response': body } = (await response.json()) as { 'subsonic-response': Record<string, unknown> };
    const error = body['error'] as { code?: number; message?: string } | undefined;
    return { isGood: body['status'] === 'ok', reason: error ? `${error.code}: ${error.message}` : '', body };
  } catch (error) {
    // A gateway that is gone; the caller goes to another one.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    return { isGood: false, reason: `no answer: ${String(error)} ${cause}`, body: {} };
  }
};
