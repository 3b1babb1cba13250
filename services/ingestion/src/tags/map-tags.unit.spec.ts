import type { IAudioMetadata } from 'music-metadata';
import { describe, expect, it } from 'vitest';
import { mapTags, UNKNOWN_ALBUM, UNKNOWN_ARTIST } from './map-tags.js';

const map = (common: Partial<IAudioMetadata['common']> = {}, native: IAudioMetadata['native'] = {}, folderPath = 'Artist/Album') =>
  mapTags(
    { common: { track: { no: null, of: null }, disk: { no: null, of: null }, movementIndex: { no: null, of: null }, ...common }, native },
    { fileName: '03 - Song.mp3', folderPath },
  );
const vorbis = (...tags: [string, string][]): IAudioMetadata['native'] => ({ vorbis: tags.map(([id, value]) => ({ id, value })) });

describe('tags of a track', () => {
  it('fall back to file and folder', () => {
    expect(map()).toMatchObject({
      title: 'Song',
      track: 3,
      album: { name: 'Album' },
      artists: [{ name: UNKNOWN_ARTIST }],
      albumArtists: [{ name: UNKNOWN_ARTIST }],
    });
    expect(map({}, {}, '').album.name).toBe(UNKNOWN_ALBUM);
    expect(map({}, {}, 'Artist/Album/CD2')).toMatchObject({ disk: 2, album: { name: 'Album' } });
    expect(map({ title: 'Tagged' }).track).toBeUndefined();
  });

  it('credit the album to its artist, else to Various Artists of a compilation, else to the track without guests', () => {
    const artists = ['A feat. B'];
    expect(map({ artists, artist: 'A feat. B', albumartists: ['X'], albumartist: 'X' }).albumArtists).toEqual([{ name: 'X' }]);
    expect(map({ artists, artist: 'A feat. B', compilation: true }).albumArtists).toMatchObject([{ name: 'Various Artists' }]);
    expect(map({ artists, artist: 'A feat. B' }).albumArtists).toEqual([{ name: 'A' }]);
  });

  it('take several moods and custom tags from the native view', () => {
    const track = map(
      { mood: 'Calm' },
      vorbis(['MOOD', 'Calm'], ['MOOD', 'Dark'], ['TITLE', 'x'], ['Rating_Of_Mine', '5'], ['R128_TRACK_GAIN', '256']),
    );
    expect(track.moods).toEqual(['Calm', 'Dark']);
    expect(track.extraTags).toEqual({ rating_of_mine: '5' });
    expect(track.loudness).toEqual({ r128TrackGain: 256 });
  });

  it('bound extra tags in number and size', () => {
    const many = Array.from({ length: 500 }, (_, n): [string, string] => [`custom${n}`, 'v'.repeat(5000)]);
    const extras = map({}, vorbis(...many)).extraTags;
    expect(Object.keys(extras).length).toBeLessThanOrEqual(64);
    expect(JSON.stringify(extras).length).toBeLessThan(20_000);
  });

  it('keep one artist of an ID3v2.3 tag whose name has a slash', () => {
    const native = {
      'ID3v2.3': [
        { id: 'TPE1', value: 'AC' },
        { id: 'TPE1', value: 'DC' },
      ],
    };
    expect(map({ artist: 'AC', artists: ['AC', 'DC'] }, native).artists).toEqual([{ name: 'AC/DC' }]);
  });

  it('split and join at slashes in ID3v2.3 alone', () => {
    const names = ['Air', 'Moby'].map((value) => ({ artist: { id: 'ARTIST', value }, album: { id: 'ALBUMARTIST', value } }));
    const common = { artist: 'Air', artists: ['Air', 'Moby'], albumartist: 'Air', albumartists: ['Air', 'Moby'] };
    const both = [{ name: 'Air' }, { name: 'Moby' }];
    const tags = names.flatMap(({ artist, album }) => [artist, album]);
    // An older tag in front of the file is ignored.
    const older = { 'ID3v2.3': [{ id: 'TPE1', value: 'Other' }] };
    const others: IAudioMetadata['native'][] = [
      { vorbis: tags },
      { vorbis: tags, ...older },
      { APEv2: tags },
      { iTunes: [{ id: '©ART', value: 'Air' }] },
    ];
    for (const native of others) expect(map(common, native)).toMatchObject({ artists: both, albumArtists: both });
    const frames = ['Air', 'Moby'].map((value) => ({ id: 'TPE1', value }));
    expect(map(common, { 'ID3v2.4': frames })).toMatchObject({ artists: both, albumArtists: both });
    expect(map(common, { 'ID3v2.3': frames })).toMatchObject({ artists: [{ name: 'Air/Moby' }], albumArtists: both });
  });

  it.each([
    ['vorbis', 'ALBUMARTISTS'],
    ['APEv2', 'Albumartists'],
    ['ID3v2.4', 'TXXX:ALBUMARTISTS'],
    ['ID3v2.3', 'TXXX:ALBUMARTISTS'],
    ['iTunes', '----:com.apple.iTunes:ALBUMARTISTS'],
  ])('have several album artists: %s %s', (type, id) => {
    const native = { [type]: ['Anna', 'Benno'].map((value) => ({ id, value })) };
    const { albumArtists, displayAlbumArtist, extraTags } = map({ albumartist: 'Anna & Benno', albumartists: ['Anna & Benno'] }, native);
    expect([albumArtists, displayAlbumArtist, extraTags]).toEqual([[{ name: 'Anna' }, { name: 'Benno' }], 'Anna & Benno', {}]);
    expect(map({}, { [type]: [{ id, value: 'Anna; Benno' }] }).albumArtists).toEqual([{ name: 'Anna' }, { name: 'Benno' }]);
  });

  it('put the name of an album artist with a slash together in ID3v2.3', () => {
    const native = { 'ID3v2.3': ['AC', 'DC'].map((value) => ({ id: 'TXXX:ALBUMARTISTS', value })) };
    expect(map({}, native).albumArtists).toEqual([{ name: 'AC/DC' }]);
  });

  it('read release facts', () => {
    const { album, year, publisher } = map({
      album: 'Record',
      date: '2010-03-01',
      year: 2010,
      originaldate: '1975',
      releasetype: ['Album; Live'],
      releasestatus: 'Official',
      label: ['L', 'L', 'M'],
      catalognumber: ['CAT-1', 'CAT-2'],
      barcode: '0123',
    });
    expect(album).toMatchObject({
      year: 2010,
      originalYear: 1975,
      releaseDate: '2010-03-01',
      releaseTypes: ['album', 'live'],
      releaseStatus: 'official',
      recordLabels: ['L', 'M'],
      catalogNumber: 'CAT-1',
      barcode: '0123',
    });
    expect(year).toBe(2010);
    expect(publisher).toBe('L');
  });

  it('ignore comments that players wrote, and numbers that are none', () => {
    const comment = [{ descriptor: 'iTunNORM', text: '0000' }, { text: 'mine' }];
    expect(map({ comment, track: { no: -5, of: 1e9 }, year: Number.NaN, title: 'x' })).toMatchObject({ comment: 'mine' });
    expect(map({ track: { no: -5, of: 1e9 }, title: 'x' })).not.toHaveProperty('track');
    expect(map({ year: Number.NaN })).not.toHaveProperty('year');
  });

  it('name the other people who took part', () => {
    const track = map({ conductor: ['C'], producer: ['P; Q'] }, { 'ID3v2.4': [{ id: 'TMCL', value: { Guitar: ['G'] } }] });
    expect(track.contributors).toEqual([
      { role: 'conductor', name: 'C' },
      { role: 'producer', name: 'P' },
      { role: 'producer', name: 'Q' },
      { role: 'performer', subRole: 'guitar', name: 'G' },
    ]);
  });
});
