import { Rejection } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { fullStorage, isFullLog, logIsFull } from './full-storage.js';

const failed = (fields: object, message = 'failed'): Error => Object.assign(new Error(message), fields);

describe('a storage without room', () => {
  it.each([
    ['the disk of /data/art/ab is full', failed({ code: 'ENOSPC', path: '/data/art/ab/cd.part' })],
    ['the disk of /data/art is full', failed({ code: 'EDQUOT', path: '/tmp/x', dest: '/data/art/x' })],
    ["the disk of the server's own files is full", failed({ code: 'ENOSPC' })],
    ['the disk of the database is full', failed({ code: '53100' }, 'could not extend file')],
    ['the event log cannot be written: no space left', failed({ code: 10_023 }, 'insufficient resources')],
    ['the event log cannot be written: no space left', failed({}, 'write: no space left on device')],
    ['the event log cannot be written: no space left', logIsFull('x')],
  ])('%s', (sentence, error) => {
    expect(fullStorage(error)).toBe(sentence);
    expect(fullStorage(new Error('the picture could not be kept', { cause: error }))).toBe(sentence);
  });
  it('is nothing else', () => {
    for (const error of [undefined, null, 'ENOSPC', failed({ code: 'EIO' }), new Rejection('unavailable'), failed({ code: '53300' })])
      expect(fullStorage(error)).toBeUndefined();
    const circle = failed({});
    circle.cause = circle;
    expect(fullStorage(circle)).toBeUndefined();
  });
  it('is what JetStream says by number or in words', () => {
    expect([
      isFullLog(10_047, ''),
      isFullLog(undefined, 'insufficient storage resources available'),
      isFullLog(10_071, 'wrong last sequence'),
    ]).toEqual([true, true, false]);
  });
});
