import { Rejection, type TranscodeSource } from '@continuo/contracts';
import { expect, it } from 'vitest';
import { transcodesContract } from '../transcode/transcodes.contract.js';
import { fakeTranscodes } from './fake-transcodes.js';

const source: TranscodeSource = { catalogPath: '/music', path: 'a.flac', sizeBytes: 1000, modifiedAtMs: 1, durationMs: 5000 };
const lost = { ...source, path: 'lost.flac' };
const refusal = (request: { readonly source: TranscodeSource }): Rejection | undefined =>
  request.source.path === lost.path ? new Rejection('media.not-found') : undefined;

transcodesContract('the fake', () => ({ transcodes: fakeTranscodes({ refusal }), source, lost }));

it('remembers what it was asked for', async () => {
  const transcodes = fakeTranscodes({ state: 'finished' });
  expect(await transcodes.open(source, { format: 'wav', offsetMs: 0 })).toMatchObject({ state: 'finished', mime: 'audio/wav' });
  expect(transcodes.requests).toEqual([{ source, target: { format: 'wav', offsetMs: 0 } }]);
});
