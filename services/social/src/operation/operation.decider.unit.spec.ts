import { specFor } from '@continuo/chassis/testkit';
import { operationPerformed, operatorWorkFailed, operatorWorkFinished, operatorWorkStarted } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { operation, operationIdOf } from './operation.decider.js';

const { given } = specFor(operation);
const work = { kind: 'backup', workId: 'b-1' } as const;
const started = operatorWorkStarted({ ...work, subject: 'b-1' });
const finished = operatorWorkFinished(work);
const failed = operatorWorkFailed({ ...work, problem: 'the disk is full' });

describe('long work of an operator', () => {
  it('starts once', () => {
    const start = { type: 'start', ...work, subject: 'b-1' } as const;
    given([]).when(start).then([started]);
    given([started]).when(start).then([]);
  });

  it('ends once, well or not', () => {
    given([started])
      .when({ type: 'finish', ...work })
      .then([finished]);
    given([started])
      .when({ type: 'fail', ...work, problem: 'the disk is full' })
      .then([failed]);
    given([started, finished])
      .when({ type: 'fail', ...work, problem: 'too late' })
      .then([]);
    given([])
      .when({ type: 'finish', ...work })
      .thenRejected('conflict');
  });
});

describe('what leaves no other event', () => {
  it('is recorded each time', () => {
    const performed = { operation: 'deleteDeadLetter', target: '7' };
    given([operationPerformed(performed)])
      .when({ type: 'perform', ...performed })
      .then([operationPerformed(performed)]);
  });

  it('is told apart by what it was done to', () => {
    expect(operationIdOf({ type: 'perform', operation: 'retryDeadLetters', target: null })).toBe('retryDeadLetters');
    expect(operationIdOf({ type: 'perform', operation: 'deleteDeadLetter', target: '7' })).toBe('deleteDeadLetter.7');
    expect(operationIdOf({ type: 'finish', ...work })).toBe('backup.b-1');
  });
});
