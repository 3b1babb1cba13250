import { pipeline, Readable, type Duplex } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { OutboundError } from '../outbound-client.js';

/** Encodings that the client accepts. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

/** Encodings that can stand upon each other; more are a trick. */
const MAX_ENCODINGS = 2;

const unpackers: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

const unpackersFor = (encoding: string | undefined): Duplex[] => {
  const names = (encoding ?? '').split(',').flatMap((part) => {
    const name = part.trim().toLowerCase();
    return name === '' || name === 'identity' ? [] : [name];
  });
  const made = names.toReversed().map((name) => unpackers[name]);
  if (names.length > MAX_ENCODINGS || made.includes(undefined))
    throw new OutboundError('malformed', `the body is packed in a way that is not known: ${names.join(', ')}`);
  return made.map((make) => (make as () => Duplex)());
};

/** Lets at most so many bytes through. */
async function* capped(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  let seen = 0;
  for await (const chunk of source) {
    seen += chunk.byteLength;
    if (seen > maxBytes) throw new OutboundError('too-large', `the answer is larger than ${maxBytes} bytes`);
    yield chunk;
  }
}

/**
 * The content of a body, of at most `maxBytes` as sent and as unpacked: what swells on the way is cut off where it grows too large.
 * @throws OutboundError `malformed` for an encoding that is not known
 */
export const unpacked = (body: Readable, encoding: string | undefined, maxBytes: number): AsyncGenerator<Uint8Array, void, undefined> => {
  const steps = unpackersFor(encoding);
  const last = steps.at(-1);
  if (!last) return capped(body, maxBytes);
  // Faults of any step come out at the end of the last one.
  pipeline([Readable.from(capped(body, maxBytes)), ...steps], () => undefined);
  return capped(last, maxBytes);
};
