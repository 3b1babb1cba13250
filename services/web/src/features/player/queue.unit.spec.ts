import { describe, expect, it } from 'vitest';
import type { Song } from '../../lib/api.js';
import {
  albumEnd,
  dequeue,
  EMPTY_QUEUE,
  enqueue,
  move,
  positionOf,
  startAt,
  startShuffled,
  stepBack,
  stepForward,
  taken,
  toggleShuffle,
  type Queue,
} from './queue.js';

const song = (id: string): Song => ({ id, title: id }) as Song;
const source = { kind: 'album', id: '1' } as const;
const album = (position: number, total = 4): Queue => ({ ...startAt(EMPTY_QUEUE, source, { total, position }), current: song('a') });
const titles = ({ upNext }: Queue): string[] => upNext.map((entry) => entry.song.id);
const keyOf = ({ upNext }: Queue, id: string): number => upNext.find((entry) => entry.song.id === id)?.key ?? -1;

describe('queue', () => {
  it('plays what was chosen before the rest of the list', () => {
    const queue = enqueue(album(1), [song('x')], 'next');
    const step = stepForward(queue, true);
    expect(step).toMatchObject({ from: 'up-next', entry: { song: { id: 'x' } } });
    const after = step ? taken(queue, step, song('x')) : queue;
    expect([after.current?.id, titles(after), after.context?.index]).toEqual(['x', [], 1]);
    expect(stepForward(after, true)).toEqual({ from: 'context', index: 2, position: 2 });
  });

  it('ends after the last song, and begins anew when everything is repeated', () => {
    expect(stepForward(album(3), true)).toBeUndefined();
    expect(stepForward({ ...album(3), repeat: 'all' }, true)).toMatchObject({ index: 0 });
    expect(stepBack(album(0))).toBeUndefined();
    expect(stepBack({ ...album(0), repeat: 'all' })).toMatchObject({ index: 3 });
  });

  it('repeats one song until somebody goes on', () => {
    const queue: Queue = { ...album(1), repeat: 'one' };
    expect(stepForward(queue, false)).toMatchObject({ from: 'current', song: { id: 'a' } });
    expect(stepForward(queue, true)).toMatchObject({ from: 'context', index: 2 });
  });

  it('adds next and last in the order of the choice, each with a key of its own', () => {
    const queue = enqueue(
      enqueue(enqueue(EMPTY_QUEUE, [song('a'), song('a')], 'last'), [song('b'), song('c')], 'next'),
      [song('d')],
      'last',
    );
    expect(titles(queue)).toEqual(['b', 'c', 'a', 'a', 'd']);
    expect(new Set(queue.upNext.map(({ key }) => key)).size).toBe(5);
  });

  describe('after an album', () => {
    const ofAlbum = (id: string, albumId: string): Song => ({ ...song(id), album: { id: albumId } }) as Song;
    const next = (queue: Queue): string => {
      const step = stepForward(queue, true);
      if (step?.from === 'up-next') return step.entry.song.id;
      return step?.from === 'context' ? String(step.index) : 'nothing';
    };
    const waiting = enqueue(album(1), [song('x'), song('y')], { afterIndex: 2 });
    const at = (queue: Queue, index: number): Queue => ({ ...queue, context: queue.context && { ...queue.context, index } });

    it('its end is looked for in the next songs of the list', async () => {
      const list = ['a', 'a', 'a', 'b', 'b', 'b'].map((id) => ofAlbum(id, id));
      const ahead = async ({ index }: { readonly index: number }): Promise<readonly Song[]> => list.slice(index + 1, index + 2);
      const playing = { ...album(0, list.length), current: ofAlbum('a', 'a') };
      expect(await albumEnd(playing, ahead)).toBe(2);
      expect(await albumEnd({ ...at(playing, 4), current: ofAlbum('b', 'b') }, ahead)).toBe(5);
      expect(await albumEnd({ ...at(playing, 1), current: ofAlbum('c', 'c') }, ahead)).toBe(1);
      expect(await albumEnd({ ...playing, context: undefined }, ahead)).toBeUndefined();
    });

    it('songs wait until the list has come there, and precede what is left of it', () => {
      expect([next(waiting), next(at(waiting, 2)), next(at(waiting, 3))]).toEqual(['2', 'x', 'x']);
    });

    it('songs are played at the end of the list at the latest', () => {
      expect(next(enqueue(album(3), [song('x')], { afterIndex: 3 }))).toBe('x');
      expect(next({ ...waiting, context: undefined })).toBe('x');
    });

    it('songs that are added later to the queue come before them', () => {
      expect(titles(enqueue(waiting, [song('z')], 'last'))).toEqual(['z', 'x', 'y']);
      expect(next(enqueue(waiting, [song('z')], 'last'))).toBe('z');
    });

    it('songs follow what was chosen of the album, when the list has no more of it', () => {
      const chosen = enqueue({ ...album(1), current: ofAlbum('a', '7') }, [ofAlbum('b', '7'), ofAlbum('c', '8')], 'next');
      expect(titles(enqueue(chosen, [ofAlbum('x', '9')], { afterIndex: 1 }))).toEqual(['b', 'x', 'c']);
    });

    it('songs come at once in another order and in another list', () => {
      expect(next(toggleShuffle(waiting))).toBe('x');
      expect(next(startAt(waiting, source, { total: 9, position: 0 }))).toBe('x');
      expect(next(startShuffled(waiting, source, 9))).toBe('x');
    });

    it('a song that is moved beside them waits as they do, and one of them that is moved away does not', () => {
      const mixed = enqueue(waiting, [song('z')], 'next');
      const among = move(mixed, new Set([keyOf(mixed, 'z')]), { key: keyOf(mixed, 'x'), where: 'after' });
      expect([titles(among), next(among)]).toEqual([['x', 'z', 'y'], '2']);
      const before = move(mixed, new Set([keyOf(mixed, 'x')]), { key: keyOf(mixed, 'z'), where: 'before' });
      expect([titles(before), next(before)]).toEqual([['x', 'z', 'y'], 'x']);
    });
  });

  it('removes one entry, also of a song that stands there twice', () => {
    const queue = enqueue(EMPTY_QUEUE, [song('a'), song('b'), song('a')], 'last');
    expect(titles(dequeue(queue, queue.upNext[2]?.key ?? -1))).toEqual(['a', 'b']);
  });

  it('moves entries before or after another', () => {
    const queue = enqueue(EMPTY_QUEUE, ['a', 'b', 'c', 'd'].map(song), 'last');
    const keys = new Set([keyOf(queue, 'a'), keyOf(queue, 'c')]);
    expect(titles(move(queue, keys, { key: keyOf(queue, 'd'), where: 'after' }))).toEqual(['b', 'd', 'a', 'c']);
    expect(titles(move(queue, keys, { key: keyOf(queue, 'b'), where: 'before' }))).toEqual(['a', 'c', 'b', 'd']);
    expect(move(queue, keys, { key: keyOf(queue, 'a'), where: 'before' })).toBe(queue);
  });

  it('plays every song of a shuffled list once', () => {
    const { context } = startShuffled(EMPTY_QUEUE, source, 50);
    const order = Array.from({ length: 50 }, (_, index) => (context ? positionOf(context, index) : -1));
    expect(new Set(order).size).toBe(50);
  });

  it('shuffled while a song plays goes on with all the others', () => {
    const { context } = toggleShuffle(album(30, 50));
    if (!context) throw new Error('no list');
    expect([context.index, positionOf(context, 0)]).toEqual([0, 30]);
    const rest = Array.from({ length: 49 }, (_, at) => positionOf(context, at + 1));
    expect(new Set([30, ...rest]).size).toBe(50);
  });

  it('goes on behind the song that plays when the shuffle ends', () => {
    const shuffle = toggleShuffle(album(30, 50));
    const step = stepForward(shuffle, true);
    const after = step ? taken(shuffle, step, song('b')) : shuffle;
    const position = step?.from === 'context' ? step.position : -1;
    expect(toggleShuffle(after).context).toEqual({ source, total: 50, index: position });
  });

  it('keeps a list that has not begun', () => {
    expect(toggleShuffle(toggleShuffle(startShuffled(EMPTY_QUEUE, source, 9))).context?.index).toBe(-1);
    expect(toggleShuffle(EMPTY_QUEUE)).toBe(EMPTY_QUEUE);
  });
});
