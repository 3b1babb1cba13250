import { buffer } from 'node:stream/consumers';
import { Rejection, transcodeTarget, type TranscodeSource, type TranscodeTarget } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import type { FinishedTranscode, GrowingTranscode, Transcodes } from '../../src/transcode/transcodes.js';

/** Transcodes under test, and media that are really there. */
export interface TranscodesUnderTest {
  readonly transcodes: Transcodes;
  readonly source: TranscodeSource;
  /** A source whose file is gone. */
  readonly lost: TranscodeSource;
}

const target = (wanted: Partial<TranscodeTarget> = {}): TranscodeTarget =>
  transcodeTarget.parse({ format: 'mp3', bitrateKbps: 64, ...wanted });

/** All bytes of either kind. */
export const bytesOf = async (transcode: FinishedTranscode | GrowingTranscode): Promise<Buffer> =>
  buffer(transcode.state === 'growing' ? transcode.body : await transcode.open());

/** Asks until the transcode is finished. */
export const finishedOf = async (transcodes: Transcodes, source: TranscodeSource, wanted: TranscodeTarget): Promise<FinishedTranscode> => {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const found = await transcodes.open(source, wanted);
    if (found.state === 'finished') return found;
    await bytesOf(found);
    if (Date.now() > deadline) throw new Error('it is never finished');
  }
};

/** Contract suite of every adapter of {@link Transcodes}. */
export const transcodesContract = (name: string, under: () => TranscodesUnderTest): void => {
  describe(`${name}, as transcodes`, () => {
    it('gives bytes at once and the same ones, as a file, later', async () => {
      const { transcodes, source } = under();
      const first = await bytesOf(await transcodes.open(source, target()));
      expect(first.length).toBeGreaterThan(100);
      const finished = await finishedOf(transcodes, source, target());
      expect(finished).toMatchObject({ mime: 'audio/mpeg', sizeBytes: first.length });
      expect(await bytesOf(finished)).toEqual(first);
    });

    it('gives parts of what is finished, and the same tag for the same bytes', async () => {
      const { transcodes, source } = under();
      const finished = await finishedOf(transcodes, source, target({ bitrateKbps: 96 }));
      const whole = await bytesOf(finished);
      expect(await buffer(await finished.open({ start: 10, end: 59 }))).toEqual(whole.subarray(10, 60));
      expect(await buffer(await finished.open({ start: whole.length - 1, end: whole.length - 1 }))).toEqual(whole.subarray(-1));
      expect(finished.etag).toMatch(/^".+"$/);
      expect((await finishedOf(transcodes, source, target({ bitrateKbps: 96 }))).etag).toBe(finished.etag);
    });

    it('tells one request from another', async () => {
      const { transcodes, source } = under();
      const of = async (wanted: Partial<TranscodeTarget>): Promise<string> =>
        (await bytesOf(await transcodes.open(source, target(wanted)))).toString('base64');
      const [plain, later, other] = [await of({}), await of({ offsetMs: 1500 }), await of({ bitrateKbps: 128 })];
      expect(new Set([plain, later, other]).size).toBe(3);
    });

    it('lets a listener go who does not read to the end', async () => {
      const { transcodes, source } = under();
      const found = await transcodes.open(source, target({ format: 'opus' }));
      const body = found.state === 'growing' ? found.body : await found.open();
      body.destroy();
      expect((await bytesOf(await transcodes.open(source, target({ format: 'opus' })))).length).toBeGreaterThan(100);
    });

    it('says that a file is gone', async () => {
      const { transcodes, lost } = under();
      const refusal = await transcodes.open(lost, target()).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Rejection);
      expect(refusal).toMatchObject({ code: 'media.not-found' });
    });
  });
};
