import { Readable } from 'node:stream';

const FILL = Buffer.alloc(64 * 1024);

async function* cutOrFilled(body: Readable, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let left = sizeBytes;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (chunk.length >= left) {
      yield chunk.subarray(0, left);
      return;
    }
    left -= chunk.length;
    yield chunk;
  }
  for (; left > 0; left -= FILL.length) yield FILL.subarray(0, Math.min(left, FILL.length));
}

/**
 * Exactly so many bytes of a stream, filled up with zeros or cut: what is sent under an announced length (compat facts, section 8.1). A failure of the stream fails the result,
 * whose end or destruction destroys the stream.
 */
export const exactly = (body: Readable, sizeBytes: number): Readable => {
  const exact = Readable.from(cutOrFilled(body, sizeBytes), { objectMode: false });
  // A generator that waits for a chunk would only end behind it.
  exact.once('close', () => body.destroy());
  return exact;
};
