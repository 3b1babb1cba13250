import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { followWork, type Work } from './follow-work.js';
import type { Terminal } from './terminal.js';

const steps: readonly Work[] = [
  { state: 'queued', progress: null },
  { state: 'running', progress: { done: 1, total: 4, unit: 'files' } },
  { state: 'done', progress: { done: 4, total: 4, unit: 'files' } },
];

/** A terminal whose moving parts are kept as text, on a screen or in a pipe. */
const terminalOf = (isTTY: boolean) => {
  const [lines, drawn]: [string[], string[]] = [[], []];
  const moving = Object.assign(new PassThrough(), { isTTY, columns: 200 });
  moving.on('data', (part: Buffer) => drawn.push(part.toString()));
  const screen = Object.assign(moving, { clearLine: () => true, cursorTo: () => true, moveCursor: () => true });
  const terminal: Terminal = {
    print: (line) => void lines.push(line),
    warn: (line) => void lines.push(line),
    moving: screen as unknown as NodeJS.WriteStream,
    input: new PassThrough(),
  };
  return { terminal, lines, drawn };
};

const follow = async (terminal: Terminal, describeWork?: (work: Work) => string): Promise<Work> => {
  const [begun, ...later] = steps as [Work, ...Work[]];
  const read = async (): Promise<Work> => later.shift() ?? begun;
  return followWork(terminal, { label: 'Copying', begun, read, ...(describeWork ? { describe: describeWork } : {}) });
};

describe('followWork', () => {
  it('draws a bar on a terminal until the work has ended', async () => {
    const { terminal, lines, drawn } = terminalOf(true);
    expect(await follow(terminal)).toEqual(steps[2]);
    expect(drawn.join('')).toMatch(/Copying \[.+\] 25% \| 1 of 4 files/);
    expect(lines).toEqual([]);
  });

  it('prints a line elsewhere when its text has changed, and nothing without a text', async () => {
    const told = terminalOf(false);
    await follow(told.terminal, ({ progress }) => (progress ? `${progress.total} files` : 'waiting'));
    expect([told.lines, told.drawn]).toEqual([['waiting', '4 files'], []]);
    const silent = terminalOf(false);
    await follow(silent.terminal);
    expect([silent.lines, silent.drawn]).toEqual([[], []]);
  });
});
