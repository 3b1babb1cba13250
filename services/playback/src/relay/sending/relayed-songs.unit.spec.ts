import type { SongDocument } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { songRow } from '../../../test/relay/running-relay.js';
import { songFacts } from './relayed-songs.js';

const facts = (more: Partial<SongDocument>) => songFacts(JSON.parse(songRow(1, 'One', more).doc) as SongDocument);
const ref = (name: string, mbid?: string) => ({ id: 1, name, prefix: null, basename: name, ...(mbid === undefined ? {} : { mbid }) });

describe('what services are told of a song', () => {
  it('leaves out what is no id', () => {
    const told = facts({
      mbid: 'not an id',
      isrcs: ['?'],
      mbTrackId: '',
      artists: [ref('A', 'x'), ref('B', 'AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE')],
    });
    expect(told).toMatchObject({ artistMbids: ['aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee'] });
    expect([told.recordingMbid, told.isrc, told.trackMbid]).toEqual([undefined, undefined, undefined]);
  });

  it('names artists as the song does, else all of them', () => {
    expect(facts({}).artist).toBe('Ada feat. Charles');
    const { displayArtist: _, ...rest } = JSON.parse(songRow(1, 'One').doc) as SongDocument;
    expect(songFacts({ ...rest, artists: [ref('A'), ref('B')] }).artist).toBe('A, B');
    expect(songFacts({ ...rest, artists: [] }).artist).toBe('');
    expect(songFacts({ ...rest, artists: [ref('[Unknown Artist]')] }).artist).toBe('');
  });

  it('has no numbers or names that are not there', () => {
    const told = facts({ track: 0, disk: 0, album: ref(' ') });
    expect([told.track, told.disk, told.album]).toEqual([undefined, undefined, undefined]);
  });
});
