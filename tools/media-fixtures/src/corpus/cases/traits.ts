import type { Facts } from '../facts.js';
import type { SongDifferences } from '../expected.js';
import { idOf } from './case.js';

/** Facts that belong together, and what they must become. A way of writing that cannot hold one of them gets none of them. */
export interface Trait {
  readonly facts: Facts;
  readonly song: SongDifferences;
}

/** Name of a file within a case. */
export interface Named {
  readonly number: number;
  readonly artist: string;
}

/** A theme: several traits in one file. */
export type Theme = (named: Named) => readonly Trait[];

const people = (role: string, ...names: readonly string[]) => names.map((name) => ({ role, name }));

/** Themes by name. Each is written in every dialect that can hold any of it. */
export const themes: Readonly<Record<string, Theme>> = {
  plain: () => [
    { facts: { genre: ['Jazz'] }, song: { genres: ['Jazz'] } },
    { facts: { date: ['2004'] }, song: { year: 2004, album: { year: 2004, releaseDate: '2004' } } },
    { facts: { track: ['3/12'] }, song: { track: 3 } },
    { facts: { comment: ['a comment with two words'] }, song: { comment: 'a comment with two words' } },
  ],
  places: () => [
    { facts: { track: ['7/9'] }, song: { track: 7 } },
    { facts: { disc: ['2/3'] }, song: { disk: 2 } },
    {
      facts: { disc: ['2/3'], discsubtitle: ['The Night'] },
      song: { disk: 2, diskSubtitle: 'The Night', album: { diskTitles: [{ disk: 2, title: 'The Night' }] } },
    },
  ],
  sorting: ({ number, artist }) => [
    { facts: { titlesort: [`Song ${number}, A`] }, song: { sortTitle: `Song ${number}, A` } },
    { facts: { artistsort: [`Sorted ${number}`] }, song: { artists: [{ name: artist, sortName: `Sorted ${number}` }] } },
    { facts: { albumsort: [`Album ${number}, The`] }, song: { album: { sortName: `Album ${number}, The` } } },
  ],
  credits: () => [
    { facts: { composer: ['Clara One', 'Clara Two'] }, song: { composers: ['Clara One', 'Clara Two'] } },
    { facts: { lyricist: ['Lya'] }, song: { contributors: people('lyricist', 'Lya') } },
  ],
  conductor: () => [{ facts: { conductor: ['Conrad'] }, song: { contributors: people('conductor', 'Conrad') } }],
  remixer: () => [{ facts: { remixer: ['Remi', 'Remo'] }, song: { contributors: people('remixer', 'Remi', 'Remo') } }],
  arranger: () => [{ facts: { arranger: ['Arri'] }, song: { contributors: people('arranger', 'Arri') } }],
  producer: () => [{ facts: { producer: ['Pro'] }, song: { contributors: people('producer', 'Pro') } }],
  engineer: () => [{ facts: { engineer: ['Eng'] }, song: { contributors: people('engineer', 'Eng') } }],
  mixers: () => [{ facts: { mixer: ['Mixi'] }, song: { contributors: people('mixer', 'Mixi') } }],
  djmixer: () => [{ facts: { djmixer: ['Deejay'] }, song: { contributors: people('djmixer', 'Deejay') } }],
  performer: () => [
    { facts: { performer: ['Gus|guitar'] }, song: { contributors: [{ role: 'performer', subRole: 'guitar', name: 'Gus' }] } },
  ],
  several: ({ number, artist }) => [
    { facts: { artist: [artist, `Second ${number}`] }, song: { artists: [{ name: artist }, { name: `Second ${number}` }] } },
    { facts: { genre: ['Rock', 'Pop'] }, song: { genres: ['Rock', 'Pop'] } },
    { facts: { mood: ['Happy', 'Calm'] }, song: { moods: ['Happy', 'Calm'] } },
  ],
  guests: ({ number, artist }) => [
    {
      facts: { artist: [`${artist} feat. Guest ${number}`] },
      song: {
        artists: [{ name: artist }, { name: `Guest ${number}` }],
        displayArtist: `${artist} feat. Guest ${number}`,
        albumArtists: [{ name: artist }],
      },
    },
  ],
  albumartist: ({ number }) => [{ facts: { albumartist: [`Host ${number}`] }, song: { albumArtists: [{ name: `Host ${number}` }] } }],
  compilation: () => [
    {
      facts: { compilation: ['1'] },
      song: { albumArtists: [{ name: 'Various Artists', mbid: '89ad4ac3-39f7-470e-963a-56509c546377' }], album: { compilation: true } },
    },
  ],
  dates: () => [
    { facts: { date: ['1999-12-31'] }, song: { year: 1999, album: { year: 1999, releaseDate: '1999-12-31' } } },
    { facts: { originaldate: ['1975-02'] }, song: { album: { originalYear: 1975, originalDate: '1975-02' } } },
  ],
  'release-date': () => [
    {
      facts: { date: ['2010-03-01'], releasedate: ['2011-06-07'] },
      song: { year: 2010, album: { year: 2011, releaseDate: '2011-06-07' } },
    },
  ],
  release: () => [
    { facts: { label: ['Label L'] }, song: { publisher: 'Label L', album: { recordLabels: ['Label L'] } } },
    { facts: { catalognumber: ['CAT 001'] }, song: { album: { catalogNumber: 'CAT 001' } } },
    { facts: { barcode: ['0123456789012'] }, song: { album: { barcode: '0123456789012' } } },
  ],
  'release-type': () => [
    { facts: { releasetype: ['album', 'live'] }, song: { album: { releaseTypes: ['album', 'live'] } } },
    { facts: { releasestatus: ['official'] }, song: { album: { releaseStatus: 'official' } } },
    { facts: { releasecountry: ['DE'] }, song: { extraTags: { releasecountry: 'DE' } } },
  ],
  version: () => [{ facts: { version: ['Remastered'] }, song: { album: { version: 'Remastered' } } }],
  isrc: () => [{ facts: { isrc: ['GBAAA0000001', 'GBAAA0000002'] }, song: { isrcs: ['GBAAA0000001', 'GBAAA0000002'] } }],
  ids: ({ number, artist }) => [
    { facts: { mb_recording: [idOf(number, 1)] }, song: { mbid: idOf(number, 1) } },
    { facts: { mb_track: [idOf(number, 2)] }, song: { mbTrackId: idOf(number, 2) } },
    { facts: { mb_album: [idOf(number, 3)] }, song: { album: { mbid: idOf(number, 3) } } },
    { facts: { mb_artist: [idOf(number, 4)] }, song: { artists: [{ name: artist, mbid: idOf(number, 4) }] } },
    { facts: { mb_group: [idOf(number, 5)] }, song: { album: { mbidGroup: idOf(number, 5) } } },
  ],
  loudness: () => [
    { facts: { track_gain: ['-6.50 dB'] }, song: { trackGainDb: -6.5 } },
    { facts: { track_peak: ['0.988'] }, song: { trackPeak: 0.988 } },
    { facts: { album_gain: ['-7.25 dB'] }, song: { albumGainDb: -7.25 } },
    { facts: { album_peak: ['1.02'] }, song: { albumPeak: 1.02 } },
    { facts: { r128_track: ['-512'] }, song: { r128TrackGain: -512 } },
    { facts: { r128_album: ['256'] }, song: { r128AlbumGain: 256 } },
  ],
  measures: () => [
    { facts: { bpm: ['128'] }, song: { bpm: 128 } },
    { facts: { language: ['deu'] }, song: { language: 'deu' } },
    {
      facts: { license: ['https://creativecommons.org/licenses/by/4.0/'] },
      song: { license: 'https://creativecommons.org/licenses/by/4.0/' },
    },
    { facts: { explicit: ['1'] }, song: { explicit: 'explicit', album: { explicit: 'explicit' } } },
  ],
  extras: (): readonly Trait[] => [
    { facts: { custom: ['MY_TAG|my own'] }, song: { extraTags: { my_tag: 'my own' } } },
    { facts: { copyright: ['2020 Somebody'] }, song: { extraTags: { copyright: '2020 Somebody' } } },
  ],
  works: ({ number }) => [
    {
      facts: { work: ['Symphony No. 1'], mb_work: [idOf(number, 6)] },
      song: { works: [{ name: 'Symphony No. 1', mbid: idOf(number, 6) }] },
    },
    { facts: { grouping: ['Orchestral'] }, song: { groupings: ['Orchestral'] } },
  ],
  movement: () => [{ facts: { movement: ['Allegro|2|4'] }, song: { movements: [{ name: 'Allegro', number: 2, count: 4 }] } }],
  words: () => [
    {
      facts: { lyrics: ['line one\nline two'] },
      song: { lyrics: [{ language: 'xxx', synced: false, source: 'tag', lines: [{ text: 'line one' }, { text: 'line two' }] }] },
    },
  ],
  scripts: () => [
    { facts: { genre: ['日本のロック'] }, song: { genres: ['日本のロック'] } },
    { facts: { comment: ['Ünïcödé – “quotes” 🎵 Привет 안녕'] }, song: { comment: 'Ünïcödé – “quotes” 🎵 Привет 안녕' } },
    { facts: { composer: ['Antonín Dvořák'] }, song: { composers: ['Antonín Dvořák'] } },
  ],
  rating: () => [{ facts: { rating: ['80'] }, song: { rating: 80 } }],
};
