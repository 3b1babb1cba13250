import { describe, expect, it } from 'vitest';
import { safeFileName, safeFileNameOf } from './safe-file-name.js';

describe('a safe file name', () => {
  it.each([
    ['../../etc/passwd', '__.._etc_passwd'],
    ['..\\..\\x', '__.._x'],
    ['a\u0000b\u0007c', 'abc'],
    ['invoice\u202egpj.exe', 'invoicegpj.exe'],
    ['C:\\x', 'C__x'],
    ['..', '_'],
    ['', '_'],
    ['ends. ', 'ends'],
    ['ends. . .', 'ends'],
    [' many \n  blanks ', 'many blanks'],
    ['con', '_con'],
    ['NUL.txt', '_NUL.txt'],
    ['COM1', '_COM1'],
    ['lpt9.log', '_lpt9.log'],
    ['concert', 'concert'],
    ['x'.repeat(300), 'x'.repeat(200)],
    ['\u00fc'.repeat(300), '\u00fc'.repeat(100)],
    [`a${'\u00fc'.repeat(150)}`, `a${'\u00fc'.repeat(99)}`],
    ['broken \ud800', 'broken \ufffd'],
  ])('of %j is %j', (given, expected) => {
    expect(safeFileName(given)).toBe(expected);
    expect(safeFileName(expected)).toBe(expected);
  });

  it('keeps its suffix', () => {
    expect(safeFileNameOf('x'.repeat(300), 'mp3')).toBe(`${'x'.repeat(200)}.mp3`);
    expect(safeFileNameOf('x', 'y'.repeat(300))).toBe(`x.${'y'.repeat(16)}`);
    expect(safeFileNameOf('../up', '../sh')).toBe('__up.__sh');
  });
});
