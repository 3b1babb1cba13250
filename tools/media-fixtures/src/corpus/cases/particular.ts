import { songOf, type SongDifferences } from '../expected.js';
import { withAsfAttributes } from '../writers/asf.js';
import { withFlacComments, type Comments } from '../writers/comments.js';
import { customFrame, id3Tag, noteFrame, ratingFrame, textFrame, timedFrame, type Id3Frame, type Id3Version } from '../writers/id3.js';
import { withAtoms, textAtom } from '../writers/mp4.js';
import { idOf, soundByName, type CorpusCase, type Materials } from './case.js';

/** Makes the cases of one row, each with a file of its own and names that no other has. */
class Row {
  readonly cases: CorpusCase[] = [];
  #number: number;
  private readonly materials: Materials;
  private readonly name: string;

  constructor(materials: Materials, name: string, firstNumber: number) {
    this.materials = materials;
    this.name = name;
    this.#number = firstNumber;
  }

  /** A FLAC with comments; title, artist and album are there unless they are given. */
  flac(
    title: string,
    comments: (names: { artist: string; number: number }) => Comments,
    expected: (names: { artist: string; number: number }) => SongDifferences,
  ): void {
    this.#number += 1;
    const base = { title, artist: `Band ${this.#number}`, album: `Record ${this.#number}` };
    const names = { artist: base.artist, number: this.#number };
    const given = comments(names);
    const missing = (['title', 'artist', 'album'] as const).filter((name) => !given.some(([key]) => key === name.toUpperCase()));
    const all = [...missing.map((name) => [name.toUpperCase(), base[name]] as const), ...given];
    this.#add('flac', withFlacComments(soundByName(this.materials, 'flac').bytes, all), base, expected(names));
  }

  /** An MP3 with frames beside title, artist and album. */
  mp3(title: string, version: Id3Version, frames: readonly Id3Frame[], expected: SongDifferences): void {
    this.#number += 1;
    const base = { title, artist: `Band ${this.#number}`, album: `Record ${this.#number}` };
    const own = [
      textFrame('TIT2', [base.title], 'latin1'),
      textFrame('TPE1', [base.artist], 'latin1'),
      textFrame('TALB', [base.album], 'latin1'),
    ];
    const bytes = Buffer.concat([id3Tag(version, [...own, ...frames]), soundByName(this.materials, 'mp3').bytes]);
    this.#add('mp3', bytes, base, expected);
  }

  /** A file whose tags are written by its own means. */
  other(
    sound: string,
    title: string,
    write: (file: Buffer, base: { title: string; artist: string; album: string }) => Buffer,
    expected: SongDifferences,
  ): void {
    this.#number += 1;
    const base = { title, artist: `Band ${this.#number}`, album: `Record ${this.#number}` };
    this.#add(sound, write(soundByName(this.materials, sound).bytes, base), base, expected);
  }

  #add(sound: string, bytes: Buffer, base: { title: string; artist: string; album: string }, expected: SongDifferences): void {
    const path = `${this.name}/${this.#number}/song.${soundByName(this.materials, sound).suffix}`;
    this.cases.push({ row: this.name, files: [{ path, bytes }], songs: [{ path, sound, song: songOf(base, expected) }] });
  }
}

const ratings = (materials: Materials): CorpusCase[] => {
  const row = new Row(materials, 'ratings', 2000);
  for (const [byte, rating] of [
    [1, 20],
    [64, 40],
    [128, 60],
    [196, 80],
    [255, 100],
  ] as const)
    row.mp3(`Byte ${byte}`, 3, [ratingFrame('Windows Media Player 9 Series', byte)], { rating });
  row.mp3('Not rated', 4, [ratingFrame('nobody', 0, 12)], {});
  for (const [name, value, rating] of [
    ['RATING', '4', 80],
    ['RATING', '90', 90],
    ['RATING', '3.5', 70],
    ['FMPS_RATING', '0.8', 80],
    ['RATING', 'good', undefined],
    ['RATING', '-1', undefined],
    ['RATING', '0', undefined],
  ] as const)
    row.flac(
      `${name} ${value}`,
      () => [[name, value]],
      () => (rating === undefined ? {} : { rating }),
    );
  for (const [value, rating] of [
    [1, 20],
    [25, 40],
    [50, 60],
    [75, 80],
    [99, 100],
  ] as const)
    row.other(
      'wma',
      `Shared ${value}`,
      (file, { title, artist, album }) =>
        withAsfAttributes(file, [
          ['Title', title],
          ['Author', artist],
          ['WM/AlbumTitle', album],
          ['WM/SharedUserRating', value],
        ]),
      { rating },
    );
  row.other(
    'm4a',
    'Rate',
    (file, { title, artist, album }) =>
      withAtoms(file, [textAtom('©nam', title), textAtom('©ART', artist), textAtom('©alb', album), textAtom('rate', '60')]),
    { rating: 60 },
  );
  return row.cases;
};

const line = (startMs: number, text: string) => ({ startMs, text });

const lyrics = (materials: Materials): CorpusCase[] => {
  const row = new Row(materials, 'lyrics', 2100);
  const timed = [line(1000, 'one'), line(1500, 'two')];
  row.mp3(
    'Timed frames',
    4,
    [
      timedFrame(
        'eng',
        timed.map(({ text, startMs }) => [text, startMs] as const),
      ),
    ],
    {
      lyrics: [{ language: 'eng', synced: true, source: 'tag', lines: [...timed] }],
    },
  );
  row.mp3('Counted in frames', 4, [timedFrame('deu', [['eins', 10]], 1)], {
    lyrics: [{ language: 'deu', synced: false, source: 'tag', lines: [{ text: 'eins' }] }],
  });
  row.mp3(
    'Two languages',
    4,
    [noteFrame('USLT', 'hello', { language: 'eng' }), noteFrame('USLT', 'hallo', { language: 'deu', description: 'd' })],
    {
      lyrics: [
        { language: 'eng', synced: false, source: 'tag', lines: [{ text: 'hello' }] },
        { language: 'deu', synced: false, source: 'tag', lines: [{ text: 'hallo' }] },
      ],
    },
  );
  row.mp3('LRC in a frame', 3, [noteFrame('USLT', '[00:01.00]one\n[00:01.50]two', { encoding: 'utf16' })], {
    lyrics: [{ language: 'eng', synced: true, source: 'tag', lines: [...timed] }],
  });
  lrcTexts(row, timed);
  return row.cases;
};

const lrcTexts = (row: Row, timed: readonly { startMs: number; text: string }[]): void => {
  row.flac(
    'LRC in a comment',
    () => [['LYRICS', '[la:fr]\n[00:01.00]one\n[00:01.50]two']],
    () => ({ lyrics: [{ language: 'fr', synced: true, source: 'tag', lines: [...timed] }] }),
  );
  row.flac(
    'Times of words',
    () => [['SYNCEDLYRICS', '[00:01.00]<00:01.00>I <00:01.20>am <00:01.40>']],
    () => ({
      lyrics: [
        {
          language: 'xxx',
          synced: true,
          source: 'tag' as const,
          lines: [
            {
              startMs: 1000,
              text: 'I am',
              cues: [
                [1000, 0],
                [1200, 2],
              ],
              endMs: 1400,
            },
          ],
        },
      ],
    }),
  );
  row.flac(
    'Moved by an offset',
    () => [['LYRICS', '[offset:+500]\n[00:01.50]one\n[00:02.00]two']],
    () => ({ lyrics: [{ language: 'xxx', synced: true, source: 'tag', lines: [...timed] }] }),
  );
};

const names = (materials: Materials): CorpusCase[] => {
  const row = new Row(materials, 'names', 2200);
  const artists =
    (...list: readonly string[]) =>
    ({ number }: { number: number }): Comments =>
      list.map((name) => ['ARTIST', `${name} ${number}`]);
  const person =
    (...list: readonly string[]) =>
    ({ number }: { number: number }): SongDifferences => ({ artists: list.map((name) => ({ name: `${name} ${number}` })) });
  const article =
    (prefix: string, rest: string) =>
    ({ number }: { number: number }): SongDifferences => ({
      artists: [{ name: `${prefix} ${rest} ${number}`, prefix, basename: `${rest} ${number}` }],
    });
  for (const prefix of ['The', 'An', 'A', 'Die', 'Das', 'Ein', 'Eine', 'Les', 'Le', 'La'])
    row.flac(`Article ${prefix}`, artists(`${prefix} Choir`), article(prefix, 'Choir'));
  row.flac('No article', artists('Thelonious'), person('Thelonious'));
  row.flac('Several values', artists('Ann', 'Bob', 'Cid'), person('Ann', 'Bob', 'Cid'));
  row.flac(
    'Semicolons',
    ({ number }) => [['ARTIST', `Ann ${number}; Bob ${number}`]],
    ({ number }) => ({ artists: [{ name: `Ann ${number}` }, { name: `Bob ${number}` }] }),
  );
  row.flac(
    'An ampersand is a name',
    ({ number }) => [['ARTIST', `Simon & Garfunkel ${number}`]],
    ({ number }) => ({ artists: [{ name: `Simon & Garfunkel ${number}` }] }),
  );
  row.flac(
    'Ids prove two names',
    ({ number }) => [
      ['ARTIST', `Ann ${number} & Bob ${number}`],
      ['MUSICBRAINZ_ARTISTID', idOf(number, 1)],
      ['MUSICBRAINZ_ARTISTID', idOf(number, 2)],
    ],
    ({ number }) => ({
      artists: [
        { name: `Ann ${number}`, mbid: idOf(number, 1) },
        { name: `Bob ${number}`, mbid: idOf(number, 2) },
      ],
      displayArtist: `Ann ${number} & Bob ${number}`,
    }),
  );
  genres(row);
  return row.cases;
};

const genres = (row: Row): void => {
  row.flac(
    'Genres in one value',
    () => [['GENRE', 'Rock; Hip-Hop/Rap, Drum / Bass|Dub\\Ska//Soul']],
    () => ({ genres: ['Rock', 'Hip-Hop/Rap', 'Drum', 'Bass', 'Dub', 'Ska', 'Soul'] }),
  );
  row.flac(
    'Genres that differ in case',
    () => [
      ['GENRE', 'Jazz'],
      ['GENRE', 'JAZZ'],
    ],
    () => ({ genres: ['Jazz'] }),
  );
  row.mp3('A numbered genre', 3, [textFrame('TCON', ['(17)'], 'latin1')], { genres: ['Rock'] });
  row.mp3('A refined genre', 3, [textFrame('TCON', ['(17)Grunge'], 'latin1')], { genres: ['Rock', 'Grunge'] });
  row.mp3('Version 2.3 has day and month elsewhere', 3, [textFrame('TYER', ['1999'], 'latin1'), textFrame('TDAT', ['3112'], 'latin1')], {
    year: 1999,
    album: { year: 1999, releaseDate: '1999-12-31' },
  });
};

const oddities = (materials: Materials): CorpusCase[] => {
  const row = new Row(materials, 'oddities', 2300);
  row.mp3('Custom frames', 4, [customFrame('TXXX', 'Energy', ['7']), customFrame('TXXX', 'Occasion', ['Party', 'Sport'])], {
    extraTags: { energy: '7', occasion: 'Party; Sport' },
  });
  row.flac(
    'Nonsense in numbers',
    () => [
      ['TRACKNUMBER', 'A1'],
      ['DISCNUMBER', '-4'],
      ['DATE', 'yesterday'],
      ['BPM', 'fast'],
      ['REPLAYGAIN_TRACK_GAIN', 'loud'],
    ],
    () => ({}),
  );
  row.flac(
    'Controls and line breaks',
    () => [
      ['TITLE', 'Controls\u0007 and\nline breaks\u0000'],
      ['COMMENT', 'first\r\nsecond'],
    ],
    () => ({ comment: 'first\nsecond' }),
  );
  row.flac(
    'Empty values',
    () => [
      ['GENRE', ''],
      ['COMPOSER', '  '],
      ['BARCODE', ''],
    ],
    () => ({}),
  );
  row.mp3(
    'Comments of players',
    3,
    [noteFrame('COMM', '00000A', { description: 'iTunNORM', encoding: 'latin1' }), noteFrame('COMM', 'mine', { encoding: 'latin1' })],
    { comment: 'mine' },
  );
  row.flac(
    'A clean version',
    () => [['ITUNESADVISORY', '2']],
    () => ({ explicit: 'clean', album: { explicit: 'clean' }, extraTags: { itunesadvisory: '2' } }),
  );
  return row.cases;
};

/** Cases of single things, each in the format in which it is usual. */
export const particularCases = (materials: Materials): CorpusCase[] => [
  ...ratings(materials),
  ...lyrics(materials),
  ...names(materials),
  ...oddities(materials),
];
