import { describe, expect, it } from 'vitest';
import { keepSettings, settingsOf } from './settings.js';

const storageWith = (text: string | null): Pick<Storage, 'getItem' | 'setItem'> => {
  let kept = text;
  return {
    getItem: () => kept,
    setItem: (_, value) => {
      kept = value;
    },
  };
};

describe('settings of lyrics', () => {
  it('are kept for each song by itself', () => {
    const storage = storageWith(null);
    keepSettings(storage, '1', { shiftS: 0.5, text: 'English' });
    keepSettings(storage, '2', { shiftS: -1, text: undefined });
    keepSettings(storage, '1', { shiftS: 0.75, text: 'English' });
    expect(settingsOf(storage, '1')).toEqual({ shiftS: 0.75, text: 'English' });
    expect(settingsOf(storage, '2')).toEqual({ shiftS: -1, text: undefined });
    expect(settingsOf(storage, '3')).toEqual({ shiftS: 0, text: undefined });
  });

  it('forget the oldest of very many songs', () => {
    const storage = storageWith(null);
    for (let id = 0; id <= 500; id += 1) keepSettings(storage, String(id), { shiftS: 1, text: undefined });
    expect([0, 1, 500].map((id) => settingsOf(storage, String(id)).shiftS)).toEqual([0, 1, 1]);
  });

  it.each(['{', '7', '[["1"],7,[1,2]]', '[["1",{"shiftS":"much","text":5}]]'])('are the usual ones where %s was kept', (text) => {
    expect(settingsOf(storageWith(text), '1')).toEqual({ shiftS: 0, text: undefined });
  });
});
