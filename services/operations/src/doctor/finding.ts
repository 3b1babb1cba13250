/** Finding of one check. */
export interface Finding {
  readonly subject: string;
  readonly status: 'ok' | 'warning' | 'fault';
  readonly detail: string;
  /** Remedy; present unless all is well. */
  readonly remedy?: string;
}

export const ok = (subject: string, detail: string): Finding => ({ subject, status: 'ok', detail });
export const warning = (subject: string, detail: string, remedy: string): Finding => ({ subject, status: 'warning', detail, remedy });
export const fault = (subject: string, detail: string, remedy: string): Finding => ({ subject, status: 'fault', detail, remedy });

const marks = { ok: ' ok ', warning: 'warn', fault: 'FAIL' } as const;

/** A finding as lines for a person. */
export const describeFinding = ({ subject, status, detail, remedy }: Finding): string[] => [
  `[${marks[status]}] ${subject}: ${detail}`,
  ...(remedy === undefined ? [] : [`       → ${remedy}`]),
];

/** The shortest useful text of an error. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
};
