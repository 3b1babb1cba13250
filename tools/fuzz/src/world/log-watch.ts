import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';

const LEVELS = new Set(['error', 'fatal']);
/** Lines of Node itself before it ends, and of what nobody caught. */
const OF_NODE = /unhandled|uncaught|warning: possible eventemitter|deprecat|out of memory|\bat .+:\d+:\d+/i;

/** One line of the server's log that somebody has to look at. */
export interface LogLine {
  readonly text: string;
  /** Of the request that caused it; undefined for one that no request caused. */
  readonly correlationId: string | undefined;
}

/** Follows what a server prints and keeps the lines that tell of something wrong. */
export class LogWatch {
  readonly #lines: LogLine[] = [];
  readonly #last: string[] = [];

  constructor(...streams: readonly Readable[]) {
    for (const stream of streams) createInterface({ input: stream }).on('line', (line) => this.#take(line));
  }

  /** The lines since the last call. */
  taken(): LogLine[] {
    return this.#lines.splice(0);
  }

  /** Last printed line. */
  last(): string {
    return this.#last.join('\n');
  }

  #take(line: string): void {
    this.#last.push(line);
    this.#last.splice(0, Math.max(0, this.#last.length - 30));
    const fields = parsed(line);
    if (fields ? LEVELS.has(String(fields['level'])) : OF_NODE.test(line)) {
      const id = fields?.['correlationId'];
      this.#lines.push({ text: line, correlationId: typeof id === 'string' ? id : undefined });
    }
  }
}

const parsed = (line: string): Record<string, unknown> | undefined => {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
};
