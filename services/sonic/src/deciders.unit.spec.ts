import { specFor } from '@continuo/chassis/testkit';
import {
  MAX_SONIC_PARTS,
  songId,
  sonicPartEnded,
  sonicRunCancelled,
  sonicRunFinished,
  sonicRunId,
  sonicRunRequested,
  sonicSongFailed,
  sonicSongHeard,
  SOUNDS_PER_BLOCK,
} from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { runAggregate } from './run/run.decider.js';
import { partsOf } from './run/run-start.js';
import { soundsAggregate } from './song/sounds.decider.js';

const runId = sonicRunId.parse('run-1');
const another = sonicRunId.parse('run-2');
const wanted = { runId, model: 'm', again: false, parts: 2, idsPerPart: 16 };
const requested = sonicRunRequested(wanted);
const counts = { analysed: 1, reused: 0, known: 0, failed: 0 };
const ended = (part: number) => sonicPartEnded({ runId, part, counts });

describe('a run', () => {
  const { given } = specFor(runAggregate);

  it('is requested once, and finished by its last part', () => {
    given([]).when({ type: 'request', wanted }).then([requested]);
    given([requested]).when({ type: 'request', wanted }).then([]);
    given([requested])
      .when({ type: 'end-part', part: 1, counts })
      .then([ended(1)]);
    given([requested, ended(1)])
      .when({ type: 'end-part', part: 0, counts })
      .then([ended(0), sonicRunFinished({ runId })]);
  });

  it('ignores repeated reports, unknown parts, and reports after its end', () => {
    given([requested, ended(1)])
      .when({ type: 'end-part', part: 1, counts })
      .then([]);
    given([requested]).when({ type: 'end-part', part: 2, counts }).then([]);
    given([requested, sonicRunCancelled({ runId })])
      .when({ type: 'end-part', part: 0, counts })
      .then([]);
  });

  it('is cancelled while it runs', () => {
    given([requested])
      .when({ type: 'cancel' })
      .then([sonicRunCancelled({ runId })]);
    given([requested, ended(0), ended(1), sonicRunFinished({ runId })])
      .when({ type: 'cancel' })
      .then([]);
    given([]).when({ type: 'cancel' }).thenRejected('sonic.run-not-found');
  });
});

describe('what songs sound like', () => {
  const { given } = specFor(soundsAggregate);
  const file = { sizeBytes: 10, modifiedAtMs: 20 };
  const heard = { songId: songId.parse(3), model: 'm', fingerprint: 'a'.repeat(64), file, vector: { scale: 1, bytes: 'AQ==' }, runId };
  const failed = { songId: songId.parse(3), model: 'm', file, reason: 'no sound', runId };

  it('is recorded once for a file, a model and a run', () => {
    given([])
      .when({ type: 'hear', heard })
      .then([sonicSongHeard(heard)]);
    given([sonicSongHeard(heard)])
      .when({ type: 'hear', heard })
      .then([]);
    const changes = [{ runId: another }, { model: 'n' }, { file: { ...file, sizeBytes: 11 } }, { file: { ...file, modifiedAtMs: 21 } }];
    for (const change of changes) {
      const changed = { ...heard, ...change };
      given([sonicSongHeard(heard)])
        .when({ type: 'hear', heard: changed })
        .then([sonicSongHeard(changed)]);
    }
  });

  it('is replaced by a later result', () => {
    given([])
      .when({ type: 'fail', failed })
      .then([sonicSongFailed(failed)]);
    given([sonicSongFailed(failed)])
      .when({ type: 'fail', failed })
      .then([]);
    given([sonicSongFailed(failed)])
      .when({ type: 'hear', heard })
      .then([sonicSongHeard(heard)]);
  });
});

describe('parts of a run', () => {
  it.each([0, 1, 15, 16, 17, 1000, 1_000_000, 20_000_000])('hold every song up to %d in whole blocks', (highest) => {
    const { parts, idsPerPart } = partsOf(highest);
    expect(parts * idsPerPart).toBeGreaterThan(highest);
    expect((parts - 1) * idsPerPart).toBeLessThanOrEqual(highest);
    expect(parts).toBeLessThanOrEqual(MAX_SONIC_PARTS);
    expect(idsPerPart % SOUNDS_PER_BLOCK).toBe(0);
  });
});
