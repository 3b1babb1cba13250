import { describe, expect, it } from 'vitest';
import { NatsOperations } from './nats-operations.js';

const sent = Buffer.from(
  'CONNECT {"verbose":false}\r\nPING\r\nPUB ev.a _INBOX.1 5\r\nhe\r\no\r\nHPUB ev.b 12 17\r\nNATS/1.0\r\n\r\nhello\r\nSUB x 1\r\n',
);
const wanted = ['CONNECT', 'PING', 'PUB ev.a', 'HPUB ev.b', 'SUB'];

const cutInto = (size: number) => {
  const operations = new NatsOperations();
  const found = [];
  for (let at = 0; at < sent.length; at += size) found.push(...operations.push(sent.subarray(at, at + size)));
  return found;
};

describe('operations of a NATS client', () => {
  it.each([1, 2, 7, 1000])('are found in pieces of %i bytes, line breaks in payloads included', (size) => {
    const found = cutInto(size);
    expect(found.map(({ verb, subject }) => `${verb} ${subject}`.trim())).toEqual(wanted);
    expect(Buffer.concat(found.map(({ bytes }) => bytes))).toEqual(sent);
  });
});
