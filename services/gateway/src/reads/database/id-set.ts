/** Above this share of unused places a table of bits costs more than a set. */
const BITS_PER_ID = 512;
const BITS = 8;

/** Whether an id is one of many. A table of bits where ids lie close together, as those of whole kinds do. */
export class IdSet {
  private readonly bits: Uint8Array | undefined;
  private readonly others: Set<number> | undefined;

  constructor(ids: Int32Array) {
    let highest = 0;
    let lowest = 0;
    for (const id of ids) {
      if (id > highest) highest = id;
      if (id < lowest) lowest = id;
    }
    if (lowest < 0 || highest > ids.length * BITS_PER_ID) {
      this.others = new Set(ids);
      return;
    }
    const bits = new Uint8Array((highest >>> 3) + 1);
    for (const id of ids) bits[id >>> 3] = (bits[id >>> 3] ?? 0) | (1 << (id % BITS));
    this.bits = bits;
  }

  has(id: number): boolean {
    if (this.others) return this.others.has(id);
    return id >= 0 && ((this.bits?.[id >>> 3] ?? 0) & (1 << (id % BITS))) !== 0;
  }
}
