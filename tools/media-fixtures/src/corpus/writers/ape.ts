import { latin1, uint32Le, utf8 } from './bytes.js';

/** Items of an APE tag: several values per name, or bytes. */
export type ApeItems = readonly (readonly [name: string, ...values: (string | Buffer)[]])[];

const item = ([name, ...values]: ApeItems[number]): Buffer => {
  const isBinary = values.some((value) => typeof value !== 'string') && name.startsWith('Cover');
  const parts = values.flatMap((value, at) => [...(at === 0 ? [] : [Buffer.alloc(1)]), typeof value === 'string' ? utf8(value) : value]);
  const value = Buffer.concat(parts);
  return Buffer.concat([uint32Le(value.length), uint32Le(isBinary ? 2 : 0), latin1(`${name}\0`), value]);
};

/** An APE tag of version 2 with header and footer. */
export const apeTag = (items: ApeItems): Buffer => {
  const body = Buffer.concat(items.map(item));
  const edge = (flags: number): Buffer =>
    Buffer.concat([
      latin1('APETAGEX'),
      uint32Le(2000),
      uint32Le(body.length + 32),
      uint32Le(items.length),
      uint32Le(flags),
      Buffer.alloc(8),
    ]);
  return Buffer.concat([edge(0xa0000000), body, edge(0x80000000)]);
};
