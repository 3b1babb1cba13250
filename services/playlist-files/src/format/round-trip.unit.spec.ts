import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locationOfPath, uriOfPath } from '../location/write-location.js';
import { absoluteSegments, readLocation } from '../location/path-readings.js';
import { displayOf, PlaylistFileFault, type PlaylistFileEntry, type PlaylistFormat } from './playlist-file.js';
import { readPlaylistFile } from './read.js';
import { writePlaylistFile } from './write.js';

/** Names as file systems have them: everything but separators, NUL, dots alone and blanks at the ends. */
const fileName = fc
  .string({
    unit: fc.oneof(
      { weight: 12, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
      fc.constantFrom('\u2028', '\u2029', '\u0085', '#', '%', '='),
    ),
    minLength: 1,
    maxLength: 20,
  })
  .filter((name) => !/[/\0]/.test(name) && name.trim() === name && name.isWellFormed() && !/^\.{1,2}$/.test(name));
const path = fc.array(fileName, { minLength: 1, maxLength: 5 });
/** Texts as the library has them: one line, no control characters. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  // oxlint-disable-next-line no-control-regex -- what the reader takes for the end of a line or for dirt
  .filter((value) => value.trim() === value && !/[\u0000-\u001f\u007f\u0085\u2028\u2029\ufffe\uffff]/.test(value));
const entry = fc.record(
  {
    path,
    title: text,
    artist: text,
    album: text,
    trackNumber: fc.integer({ min: 1, max: 999 }),
    seconds: fc.integer({ min: 1, max: 36_000 }),
  },
  { requiredKeys: ['path', 'title'] },
);
const style = fc.record({ base: fc.constantFrom('relative' as const, 'absolute' as const), folder: fc.array(fileName, { maxLength: 4 }) });

type Generated = typeof entry extends fc.Arbitrary<infer T> ? T : never;

const fields = ({ title, artist, album, trackNumber, seconds }: Generated): Omit<PlaylistFileEntry, 'locations'> => ({
  title,
  ...(artist === undefined ? {} : { artist }),
  ...(album === undefined ? {} : { album }),
  ...(trackNumber === undefined ? {} : { trackNumber }),
  ...(seconds === undefined ? {} : { durationMs: seconds * 1000 }),
});

/** Fields of an entry that a format can hold. */
const kept: Readonly<Record<PlaylistFormat, (entry: Omit<PlaylistFileEntry, 'locations'>) => object>> = {
  m3u: ({ trackNumber: _none, ...rest }) => rest,
  m3u8: ({ trackNumber: _none, ...rest }) => rest,
  pls: ({ durationMs, ...rest }) => ({ title: displayOf(rest), ...(durationMs === undefined ? {} : { durationMs }) }),
  xspf: (rest) => rest,
};

describe.each(['m3u', 'm3u8', 'pls', 'xspf'] as const)('%s', (format) => {
  it('survives a round trip', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), fc.option(text, { nil: undefined }), style, (list, title, { base, folder }) => {
        const place = (file: readonly string[]) =>
          format === 'xspf' ? uriOfPath(file, { base, folder }) : locationOfPath(file, { base, folder, separator: '/' });
        const entries = list.map((one) => ({ locations: [place(one.path)], ...fields(one) }));
        const written = [...writePlaylistFile({ entries, ...(title === undefined ? {} : { title }) }, format)].join('');
        const { content, notices } = readPlaylistFile(Buffer.from(written), { fileName: `list.${format}` });
        expect(notices).toEqual([]);
        expect(content.title).toBe(title);
        expect(content.entries.map(({ locations: _none, ...rest }) => rest)).toEqual(list.map((one) => kept[format](fields(one))));
        for (const [at, { locations }] of content.entries.entries()) {
          const reading = readLocation(locations[0] ?? '', format === 'xspf');
          const paths = reading.kind === 'paths' ? reading.paths.map((one) => absoluteSegments(one, folder)) : [];
          expect(paths).toContainEqual(list[at]?.path);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('reads or rejects any input', () => {
    const outcome = (bytes: Uint8Array): unknown => {
      try {
        return readPlaylistFile(bytes, { fileName: `list.${format}` }).content.entries.length;
      } catch (error) {
        return error;
      }
    };
    const inOrder = (given: unknown): boolean => typeof given === 'number' || given instanceof PlaylistFileFault;
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => inOrder(outcome(bytes))));
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (xml) => inOrder(outcome(Buffer.from(`<playlist>${xml}`)))));
  });
});
