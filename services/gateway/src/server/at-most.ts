/** Options for an `LRUCache` of at most so many entries. Its own option `max` reserves memory for all of them at once, 22 bytes each. */
export const atMost = (entries: number): { readonly maxSize: number; readonly sizeCalculation: () => number } => ({
  maxSize: entries,
  sizeCalculation: () => 1,
});
