import { describe, expect, it } from 'vitest';
import { AnswerReader } from './answer-reader.js';

const lengthy = 'HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 5\r\n\r\nhello';
const chunked =
  'HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=y\r\n0\r\n\r\n-----\r\n0\r\nTrailer: 1\r\n\r\n';
const empty = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

const read = (reader: AnswerReader, text: string, step: number): boolean[] => {
  const bytes = Buffer.from(text);
  reader.begin();
  const pieces = Array.from({ length: Math.ceil(bytes.length / step) }, (_, n) => bytes.subarray(n * step, (n + 1) * step));
  return pieces.map((piece) => reader.take(piece));
};

describe('AnswerReader', () => {
  it('finds the end of answers, however they come', () => {
    const reader = new AnswerReader();
    for (const [text, status, length] of [
      [lengthy, 200, 5],
      [chunked, 404, 15],
      [empty, 200, 0],
    ] as const)
      for (const step of [1, 2, 7, 1000]) {
        const ends = read(reader, text, step);
        expect([ends.indexOf(true), reader.status, reader.bytes]).toEqual([ends.length - 1, status, length]);
      }
  });

  it('refuses an answer of which nobody knows the end', () => {
    expect(() => read(new AnswerReader(), 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello', 1000)).toThrow('without length');
  });
});
