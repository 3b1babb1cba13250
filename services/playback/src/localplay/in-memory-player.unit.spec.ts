import { InMemoryPlayer } from './in-memory-player.js';
import { playerContract } from './player.contract.js';

let token = 0;
// Time goes on by itself: a millisecond whenever somebody looks.
let nowMs = 0;

playerContract('the one in memory', async () => ({
  player: new InMemoryPlayer(() => (nowMs += 1)),
  song: (n) => ({
    url: `http://music.example/${n}.wav?ssid=${(token += 1)}&oid=${n}`,
    title: `song ${n}`,
    artist: `artist ${n}`,
    album: 'album',
  }),
  stop: async () => undefined,
}));
