import { describe, expect, it } from 'vitest';
import { extensionsWhile } from './extensions.js';

const namesWhile = (podcasts: boolean, sonic: boolean): string[] => extensionsWhile({ podcasts, sonic }).map(({ name }) => name);

describe('extensions', () => {
  it('are all those of the service description while everything is on', () => {
    expect(namesWhile(true, true).toSorted()).toEqual([
      'apiKeyAuthentication',
      'formPost',
      'getPodcastEpisode',
      'indexBasedQueue',
      'playbackReport',
      'songLyrics',
      'sonicSimilarity',
      'topSongsByArtistId',
      'transcodeOffset',
      'transcoding',
    ]);
    expect(extensionsWhile({ podcasts: true, sonic: true }).every(({ versions }) => versions.join() === '1')).toBe(true);
  });

  it('leave out what is switched off', () => {
    expect(namesWhile(false, true)).not.toContain('getPodcastEpisode');
    expect(namesWhile(true, false)).not.toContain('sonicSimilarity');
  });
});
