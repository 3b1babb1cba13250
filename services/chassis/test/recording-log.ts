import { pino, type Logger } from 'pino';

/** A logger for specs that keeps its lines instead of printing them. */
export const recordingLog = (): { readonly log: Logger; readonly lines: Record<string, unknown>[] } => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  return { log, lines };
};
