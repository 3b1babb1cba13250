import { describe, expect, it } from 'vitest';
import type { PlaylistFileFault } from './playlist-file.js';
import { formatOfName, readPlaylistFile } from './read.js';

const read = (content: string | Uint8Array, fileName = 'list.m3u', encoding?: string) =>
  readPlaylistFile(typeof content === 'string' ? Buffer.from(content) : content, { fileName, encoding });
const faultOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as PlaylistFileFault).reason;
  }
  return 'none';
};

describe('M3U', () => {
  it('is a path per line', () => {
    expect(read('one.mp3\r\n\r\n  two.mp3  \rthree.mp3').content.entries).toEqual(
      ['one.mp3', 'two.mp3', 'three.mp3'].map((location) => ({ locations: [location] })),
    );
  });

  it('says title, length, artist, album and its own name in directives', () => {
    const text =
      '#EXTM3U\n#PLAYLIST: Evening \n#comment\n#EXTINF:61.5,Ada - Song - Live\n#EXTART:Ada\n#EXTALB:Album\na.mp3\n#EXTINF:-1 group="a,b",B\nb.mp3\nc.mp3';
    expect(read(text).content).toEqual({
      title: 'Evening',
      entries: [
        { locations: ['a.mp3'], title: 'Song - Live', artist: 'Ada', album: 'Album', durationMs: 61_500 },
        { locations: ['b.mp3'], title: 'B' },
        { locations: ['c.mp3'] },
      ],
    });
  });

  it('keeps entries without a path', () => {
    expect(read('#EXTINF:1,One\n#EXTINF:2,Two\nb.mp3\n#EXTINF:3,Three').content.entries).toEqual([
      { locations: [], title: 'One', durationMs: 1000 },
      { locations: ['b.mp3'], title: 'Two', durationMs: 2000 },
      { locations: [], title: 'Three', durationMs: 3000 },
    ]);
  });

  it('rejects HLS playlists', () => {
    expect(faultOf(() => read('#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:9,\n0.ts', 'a.m3u8'))).toBe('stream');
  });

  it('leaves out a line without end, and says so', () => {
    const { content, notices } = read(`a.mp3\n${'x'.repeat(9000)}\nb.mp3`);
    expect(content.entries).toHaveLength(2);
    expect(notices).toEqual([{ line: 2, message: expect.stringContaining('left out') as string }]);
  });
});

describe('character sets', () => {
  const path = 'Müsik/Ångström – “Ö”.mp3';
  it.each([
    ['UTF-8 without a mark', Buffer.from(path), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${path}`), 'utf-8'],
    ['UTF-16 of Windows', Buffer.from(`\ufeff${path}`, 'utf16le'), 'utf-16le'],
    ['UTF-16 the other way', Buffer.from(`\ufeff${path}`, 'utf16le').swap16(), 'utf-16be'],
  ])('%s', (_name, bytes, encoding) => {
    expect(read(bytes)).toMatchObject({ encoding, content: { entries: [{ locations: [path] }] } });
  });

  it('falls back to windows-1252', () => {
    const bytes = Buffer.from('Mötörhead/Ace.mp3\nSigur R\xf3s/\x93Ágætis\x94 Byrjun.mp3\n', 'latin1');
    expect(read(bytes)).toMatchObject({
      encoding: 'windows-1252',
      content: { entries: [{ locations: ['Mötörhead/Ace.mp3'] }, { locations: ['Sigur Rós/“Ágætis” Byrjun.mp3'] }] },
    });
  });

  it('guesses Cyrillic and Japanese from their letters', () => {
    const cyrillic = Buffer.from(
      Array.from('Кино - Группа крови\nКино - Звезда по имени Солнце\nАквариум - Город золотой', (letter) => {
        const code = letter.codePointAt(0) ?? 0;
        if (code >= 0x410 && code <= 0x44f) return code - 0x410 + 0xc0;
        return code;
      }),
    );
    expect(read(cyrillic).content.entries[0]).toEqual({ locations: ['Кино - Группа крови'] });
    const japanese = Buffer.from(
      '92869387935882ddcc82ab2f8e9e91e3202d20836883898383838383e08393835883608393834e83588367815b836e815b',
      'hex',
    );
    expect(read(Buffer.concat([japanese, Buffer.from('.mp3\n'), japanese])).encoding).toBe('shift_jis');
  });

  it('uses the declared encoding, unless the user names one', () => {
    const bytes = Buffer.concat([
      Buffer.from('#EXTM3U\n#EXTENC: windows-1251\n'),
      Buffer.from([0xca, 0xe8, 0xed, 0xee]),
      Buffer.from('.mp3'),
    ]);
    expect(read(bytes).content.entries[0]).toEqual({ locations: ['Кино.mp3'] });
    expect(read(bytes, 'a.m3u', 'windows-1252').content.entries[0]).toEqual({ locations: ['Êèíî.mp3'] });
    expect(faultOf(() => read(bytes, 'a.m3u', 'klingon'))).toBe('unknown-encoding');
  });
});

describe('PLS', () => {
  it('reads entries by number, not by line order', () => {
    const text =
      '[Playlist]\nX-GNOME-Title=Mine\nNumberOfEntries=3\nFile2=b.mp3\nTitle2=B\nLength2=12\nFile1=a.mp3\nLength1=-1\nTitle7=Only a name\nVersion=2\n';
    expect(read(text, 'list.pls').content).toEqual({
      title: 'Mine',
      entries: [
        { locations: ['a.mp3'] },
        { locations: ['b.mp3'], title: 'B', durationMs: 12_000 },
        { locations: [], title: 'Only a name' },
      ],
    });
  });

  it('keeps both entries of a repeated number', () => {
    expect(read('[playlist]\nFile1=a.mp3\nFile1=b.mp3').content.entries).toEqual([{ locations: ['a.mp3'] }, { locations: ['b.mp3'] }]);
  });

  it('is known by its content, whatever its name', () => {
    expect(read('[playlist]\nFile1=a.mp3', 'a.m3u').format).toBe('pls');
    expect(read('a.mp3', 'a.pls').format).toBe('m3u');
  });
});

describe('XSPF', () => {
  const list = (tracks: string): string =>
    `<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><title>T</title><annotation>said</annotation><trackList>${tracks}</trackList></playlist>`;

  it('has all fields, alternatives and entries without any place', () => {
    const track =
      '<track><location>a%20b.mp3</location><location>http://x/a</location><identifier>https://musicbrainz.org/recording/1</identifier><title>A &amp; <![CDATA[<B>]]></title>' +
      '<creator>C</creator><album>D</album><trackNum>3</trackNum><duration>61000</duration><extension application="x"><title>no</title></extension></track>';
    expect(read(list(`${track}<track><title>X</title></track>`), 'a.xspf').content).toEqual({
      title: 'T',
      comment: 'said',
      entries: [
        {
          locations: ['a%20b.mp3', 'http://x/a'],
          identifiers: ['https://musicbrainz.org/recording/1'],
          title: 'A & <B>',
          artist: 'C',
          album: 'D',
          trackNumber: 3,
          durationMs: 61_000,
        },
        { locations: [], title: 'X' },
      ],
    });
  });

  it('takes a prefix', () => {
    const text =
      '<x:playlist xmlns:x="http://xspf.org/ns/0/"><x:trackList><x:track><x:location>a.mp3</x:location></x:track></x:trackList></x:playlist>';
    expect(read(text, 'a.xspf').content.entries).toEqual([{ locations: ['a.mp3'] }]);
  });

  it.each([
    [
      'a document type',
      list('<track><title>&x;</title></track>').replace(
        '<playlist',
        '<!DOCTYPE playlist [<!ENTITY x SYSTEM "file:///etc/passwd">]><playlist',
      ),
    ],
    ['a document type that declares nothing', list('').replace('<playlist', '<!DOCTYPE playlist><playlist')],
    ['an entity from nowhere', list('<track><title>&x;</title></track>')],
    ['another document', '<html><body/></html>'],
    ['a document cut off', list('<track>').slice(0, -30)],
    ['no document', 'a.mp3'],
    ['endless nesting', `<playlist>${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}</playlist>`],
    ['nothing', '<'],
  ])('refuses %s', (_name, text) => {
    expect(faultOf(() => read(text, 'a.xspf'))).toBe('malformed');
  });

  it('leaves out a text without end, and says so', () => {
    const { content, notices } = read(list(`<track><title>${'x'.repeat(20_000)}</title><location>a.mp3</location></track>`), 'a.xspf');
    expect(content.entries).toEqual([{ locations: ['a.mp3'] }]);
    expect(notices).toHaveLength(1);
  });

  it('takes eight places and eight identifiers of a track, and 64 levels of a document', () => {
    const [places, ids] = ['location', 'identifier'].map((name) => Array.from({ length: 9 }, (_, n) => `<${name}>${n}</${name}>`).join(''));
    const eight = ['0', '1', '2', '3', '4', '5', '6', '7'];
    expect(read(list(`<track>${places}${ids}</track>`), 'a.xspf').content.entries).toEqual([{ locations: eight, identifiers: eight }]);
    const nested = (levels: number) =>
      `<playlist xmlns="http://xspf.org/ns/0/">${'<a>'.repeat(levels - 1)}${'</a>'.repeat(levels - 1)}</playlist>`;
    expect(faultOf(() => read(nested(64), 'a.xspf'))).toBe('none');
    expect(faultOf(() => read(nested(65), 'a.xspf'))).toBe('malformed');
  });
});

describe('invalid files', () => {
  it('are rejected by size, number of entries, or as binary', () => {
    const limits = { maxBytes: 100, maxEntries: 2 };
    const bounded = (text: string) => faultOf(() => readPlaylistFile(Buffer.from(text), { fileName: 'a.m3u', limits }));
    expect(bounded('x'.repeat(101))).toBe('too-large');
    expect(bounded('a\nb\nc')).toBe('too-many-entries');
    expect(bounded('a\nb')).toBe('none');
    expect(faultOf(() => read(Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0xff, 0xfb])))).toBe('binary');
  });

  it('an empty file is an empty list', () => {
    expect(read('').content).toEqual({ entries: [] });
    expect(read('[playlist]', 'a.pls').content.entries).toEqual([]);
  });
});

it('formatOfName knows suffixes in any case', () => {
  expect(['a.M3U', 'b.m3u8', 'c.Pls', 'd.xspf', 'm3u', 'e.mp3', '.pls'].map(formatOfName)).toEqual([
    'm3u',
    'm3u8',
    'pls',
    'xspf',
    undefined,
    undefined,
    'pls',
  ]);
});
