import { describe, expect, it } from 'vitest';
import { episodeFileName } from './episode-files.js';

const episode = { podcastTitle: 'Night Shift', title: 'The Tide', format: null, mime: 'audio/ogg', mediaUrl: 'https://example.org/1.mp3' };

describe('the file name of an episode', () => {
  it('says podcast, title and kind', () => {
    expect(episodeFileName(episode)).toBe('Night Shift - The Tide.ogg');
  });

  it('leads to no other folder, whatever its feed says', () => {
    expect(episodeFileName({ ...episode, podcastTitle: '../../root/.ssh', title: 'a/b\\c' })).toBe('__.._root_.ssh - a_b_c.ogg');
    expect(episodeFileName({ ...episode, format: '../sh' })).toBe('Night Shift - The Tide.__sh');
  });
});
