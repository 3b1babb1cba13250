import { requestExternalMetadata, recordArtistInfo } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { factsOf, mergedArtistInfo, plainText, webAddress } from './read-facts.js';

const huge = 'x'.repeat(1_000_000);
const odd = [
  undefined,
  null,
  7,
  NaN,
  'text',
  [],
  {},
  [[]],
  { similar: 'x' },
  { similar: [null, 7, { name: {} }] },
  { mbid: 'x', yearFormed: 'x', url: 'x' },
];

describe('answers of plug-ins', () => {
  it('become text without markup and of bounded length', () => {
    expect(plainText('<p>Over &amp; <a href="x">under</a></p>\r\n5 < 7\u0000', 100)).toBe('Over &amp; under\n5 < 7');
    expect(plainText(huge, 100)).toHaveLength(100);
    expect(plainText('\ud800half', 100)).toBe('\ufffdhalf');
    for (const nothing of ['', '  ', '<br>', 7, null, undefined]) expect(plainText(nothing, 100)).toBeNull();
  });

  it.each(['javascript:alert(1)', 'ftp://a.example/', 'https://ada:secret@a.example/', 'a.example', 7, `https://a.example/${huge}`])(
    'has no address like %#',
    (address) => expect(webAddress(address)).toBeNull(),
  );

  it('always fit the schema of the event', () => {
    for (const answer of [...odd, { summary: huge, similar: Array.from({ length: 500 }, (_, n) => ({ name: `${n}${huge}`, score: n })) }]) {
      const info = mergedArtistInfo([{ plugin: 'odd', title: 'Odd', answer }], [], true);
      expect(recordArtistInfo.schema.safeParse({ artistId: 1, ...info }).success).toBe(true);
      expect(JSON.stringify(info).length).toBeLessThan(100_000);
    }
  });

  it('can always be rendered', () => {
    const deep = {
      a: { b: 1 },
      list: [{ deep: { er: 1 }, name: 'n' }, [1], 'text', 7],
      'bad key!': 'x',
      fn: 'ok',
      big: huge,
      many: Array.from({ length: 500 }, () => huge),
    };
    for (const answer of [...odd, deep]) {
      const facts = factsOf(answer);
      const answers = facts ? [{ plugin: 'odd', title: 'Odd', facts }] : [];
      expect(requestExternalMetadata.result.safeParse({ answers }).success).toBe(true);
      expect(JSON.stringify(answers).length).toBeLessThan(100_000);
    }
    expect(factsOf(deep)).toMatchObject({ list: [{ name: 'n' }, 'text'], fn: 'ok' });
    expect(factsOf({ a: undefined, b: '' })).toBeUndefined();
  });
});
