/** Picks random ids in random order. Shuffles only as many as it picks: shuffling a million for fifty would be a waste. */
export const randomIds = (from: Int32Array, most: number): Int32Array => {
  const ids = from.slice();
  const count = Math.min(most, ids.length);
  for (let place = 0; place < count; place += 1) {
    const other = place + Math.floor(Math.random() * (ids.length - place));
    const id = ids[place] ?? 0;
    ids[place] = ids[other] ?? 0;
    ids[other] = id;
  }
  return ids.slice(0, count);
};
