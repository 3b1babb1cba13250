const ROUNDS = 4;
const UINT32 = 2 ** 32;

/** Mixes a number with a key; both below 2³². */
const mix = (value: number, key: number): number => {
  let x = (value ^ key) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b) >>> 0;
  return (x ^ (x >>> 16)) >>> 0;
};

/**
 * Position in a list of the entry that a shuffled list has at an index. A seed makes one permutation of all positions (a Feistel network over the next power of
 * four, walked until it falls into the list), so that a million entries are shuffled without being loaded.
 */
export const shuffled = (index: number, length: number, seed: number): number => {
  const halfBits = Math.max(1, Math.ceil(Math.log2(Math.max(2, length)) / 2));
  const half = 2 ** halfBits;
  let at = index;
  do {
    let [left, right] = [Math.floor(at / half), at % half];
    for (let round = 0; round < ROUNDS; round += 1) [left, right] = [right, ((left ^ mix(right, seed + round)) >>> 0) % half];
    at = left * half + right;
  } while (at >= length);
  return at;
};

/** A seed for {@link shuffled}. */
export const newSeed = (): number => Math.floor(Math.random() * UINT32);
