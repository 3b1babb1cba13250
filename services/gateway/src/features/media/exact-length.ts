import { Transform, type Readable } from 'node:stream';

const FILL = Buffer.alloc(64 * 1024);

/**
 * Exactly so many bytes of a stream, filled up with zeros or cut: what is sent under an announced length. A failure of the stream fails the result,
 * whose end or destruction destroys the stream.
 */
export const padOrTruncate = (body: Readable, sizeBytes: number): Readable => {
  let left = sizeBytes;
  const exact = new Transform({
    transform(chunk: Buffer, _, done) {
      const part = chunk.subarray(0, left);
      left -= part.length;
      done(null, part);
      if (left > 0) return;
      body.unpipe(exact);
      exact.end();
    },
    flush(done) {
      for (; left > 0; left -= Math.min(left, FILL.length)) this.push(FILL.subarray(0, Math.min(left, FILL.length)));
      done();
    },
  });
  body.once('error', (error) => exact.destroy(error));
  // One that is closed before its end has failed, even where it does not say so.
  body.once('close', () => !body.readableEnded && left > 0 && exact.destroy(new Error('the stream has broken off')));
  exact.once('close', () => body.destroy());
  return body.pipe(exact);
};
