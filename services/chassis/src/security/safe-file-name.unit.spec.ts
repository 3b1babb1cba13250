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
    ['con', '_con'],
    ['NUL.txt', '_NUL.txt'],
    ['concert', 'concert'],
    ['x'.repeat(300), 'x'.repeat(200)],
    ['\u00fc'.repeat(300), '\u00fc'.repeat(100)],
    ['broken \ud800', 'broken \ufffd'],
  ])('of %j is %j', (given, expected) => {
    expect(safeFileName(given)).toBe(expected);
    expect(safeFileName(expected)).toBe(expected);
  });

  it('keeps its suffix', () => {
    expect(safeFileNameOf('x'.repeat(300), 'mp3')).toBe(`${'x'.repeat(200)}.mp3`);
    expect(safeFileNameOf('../up', '../sh')).toBe('__up.__sh');
  });
});
