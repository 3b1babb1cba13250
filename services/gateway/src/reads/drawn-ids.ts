/** So many of the ids by chance, in the order of chance. Only as many are mixed as are taken: shuffling a million for fifty would be a waste. */
export const drawn = (from: Int32Array, most: number): Int32Array => {
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
