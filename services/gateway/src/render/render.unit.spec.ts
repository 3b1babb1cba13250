import { describe, expect, it } from 'vitest';
import { create } from 'xmlbuilder2';
import { printJson, printXml } from '../../test/render/print.js';
import { compileJson, compileXml } from './compile.js';
import { AS_ATTRIBUTE, fieldNode, listNode, objectNode, renderedList, renderedMembers } from './node.js';
import { buildObject, objectTable, type Profile } from './object-table.js';
import { gatherParts, streamParts } from './parts.js';
import { rowsOf } from './rows.js';
import { jsonParts } from './json.js';
import { printXmlElement } from './xml.js';
import { type XmlStyle } from './xml-style.js';
import { cleanXml, xmlName } from './xml-text.js';

interface Person {
  id: number;
  name: string;
  nick?: string | null;
  age: number | null;
  member: boolean;
  friends: Person[];
  best: Person | null;
  tags: string[];
  extra?: Record<string, string>;
}
const of = rowsOf<Person, { link: string }>();
const friendTable = objectTable('friend', [of.id('id', (p) => p.id), of.text('name', (p) => p.name)]);
const personTable = objectTable('person', [
  of.id('id', (p) => p.id),
  of.text('name', (p) => p.name),
  of.text('nick', (p) => p.nick, { nullable: true, optional: true }),
  of.num('age', (p) => p.age, { since: 6, nullable: true }),
  of.bool('member', (p) => p.member),
  of.list('friends', friendTable, (p) => p.friends, { xmlName: 'friend' }),
  of.list('crowd', friendTable, (p) => p.friends, { xml: 'wrapped', item: 'friend' }),
  of.object('best', friendTable, (p) => p.best, { nullable: true }),
  of.scalars('tags', (p) => p.tags, { xml: 'cdata', xmlName: 'tag' }),
  of.text('link', (_, context) => context.link, { open: true }),
  of.map('extra', (p) => p.extra, { optional: true }),
]);
const person = (over: Partial<Person> = {}): Person => ({
  id: 7,
  name: 'Ada',
  age: 36,
  member: true,
  friends: [],
  best: null,
  tags: [],
  ...over,
});
const bob = person({ id: 8, name: 'Bob & <Co>' });
const full = person({
  nick: 'a]]>b',
  friends: [bob, person({ id: 9, name: '' })],
  best: bob,
  tags: ['x', 'y<z'],
  extra: { 'a b/c': 'd', e: '' },
});
const profile: Profile = { version: 8, open: true, booleans: 'word', ids: 'text' };
const style: XmlStyle = { booleans: 'digit' };
const context = { link: 'https://x/?a=1&b=2' };
const build = (source: Person, chosen = profile) => buildObject(personTable, source, context, chosen);

describe('the plain printers', () => {
  it('prints JSON in the order of the rows, absent fields left out, nulls kept', () => {
    expect(printJson(build(person()))).toBe(
      '{"id":"7","name":"Ada","age":36,"member":true,"friends":[],"crowd":[],"best":null,"tags":[],"link":"https://x/?a=1&b=2"}',
    );
  });
  it('honours version range, extended form and spelling', () => {
    const old: Profile = { version: 5, open: false, booleans: 'digit', ids: 'number' };
    expect(JSON.parse(printJson(build(person(), old)))).toEqual({
      id: 7,
      name: 'Ada',
      member: 1,
      friends: [],
      crowd: [],
      best: null,
      tags: [],
    });
  });
  it('prints XML that an XML library reads back', () => {
    const xml = printXmlElement('person', build(full), style);
    expect(create(xml).end({ format: 'object' })).toEqual({
      person: {
        '@id': '7',
        name: { $: 'Ada' },
        nick: { $1: 'a]]', $2: '>b' },
        age: '36',
        member: '1',
        friend: [
          { '@id': '8', name: { $: 'Bob & <Co>' } },
          { '@id': '9', name: {} },
        ],
        crowd: {
          friend: [
            { '@id': '8', name: { $: 'Bob & <Co>' } },
            { '@id': '9', name: {} },
          ],
        },
        best: { '@id': '8', name: { $: 'Bob & <Co>' } },
        tag: [{ $: 'x' }, { $: 'y<z' }],
        link: { $: 'https://x/?a=1&b=2' },
        a_b_c: { $: 'd' },
        e: {},
      },
    });
  });
  it('drops what XML forbids and keeps the rest', () => {
    expect(cleanXml('a\u0000b\u001fc\ud800d\u{1F3B5}\ufffe')).toBe('abc\ufffdd\u{1F3B5}');
    expect(xmlName('1 (a)/#é')).toBe('_1__a____');
    const root = objectNode([fieldNode('v', 'a"<&\n\u0001', AS_ATTRIBUTE)]);
    expect(printXml('root', root, style)).toBe('<?xml version="1.0" encoding="UTF-8"?>\n<root v="a&quot;&lt;&amp;&#10;"/>');
  });
  it('never prints a number that JSON cannot hold', () => {
    expect(printJson(listNode([Number.NaN, Number.POSITIVE_INFINITY, 1.5]))).toBe('[null,null,1.5]');
  });
});

describe('the compiled path', () => {
  const sources = [person(), full, person({ nick: null, age: null, best: full, tags: [''], extra: {} })];
  it.each(sources)('writes what the printers print', (source) => {
    expect(compileJson(personTable, profile)(source, context)).toBe(printJson(build(source)));
    expect(compileXml(personTable, profile, style)(source, context)).toBe(printXmlElement('person', build(source), style));
  });
  it('spreads a map among the keys where the placement says so', () => {
    const table = objectTable('x', [of.map('extra', (p) => p.extra, { json: 'spread', optional: true }), of.id('id', (p) => p.id)]);
    expect(compileJson(table, profile)(full, context)).toBe('{"a b/c":"d","e":"","id":"7"}');
    expect(printJson(buildObject(table, full, context, profile))).toBe('{"a b/c":"d","e":"","id":"7"}');
    expect(compileJson(table, profile)(person({ extra: {} }), context)).toBe('{"id":"7"}');
  });
});

describe('lists of ready text', () => {
  type Items = Iterable<string> | AsyncIterable<Iterable<string>>;
  const document = (items: Items) => objectNode([fieldNode('n', 2), fieldNode('person', renderedList(items))]);
  const later = async function* () {
    yield ['1', '2'];
    yield [];
    yield ['3'];
  };
  it('joins what is at hand', () => {
    expect(printJson(document(['{"id":"1"}', '{"id":"2"}']))).toBe('{"n":2,"person":[{"id":"1"},{"id":"2"}]}');
    expect(printXml('root', document(['<person id="1"/>', '<person id="2"/>']), style)).toContain(
      '<root><n>2</n><person id="1"/><person id="2"/></root>',
    );
    expect(() => printJson(document(later()))).toThrow(/not at hand/);
  });
  it('puts members into braces, and elements into nothing', async () => {
    const members = async function* () {
      yield ['"1":["2"]'];
      yield ['"3":[]'];
    };
    const keyed = objectNode([fieldNode('album', renderedMembers(members()))]);
    expect(String(await gatherParts(jsonParts(keyed)))).toBe('{"album":{"1":["2"],"3":[]}}');
    expect(printJson(objectNode([fieldNode('album', renderedMembers([]))]))).toBe('{"album":{}}');
    expect(printXml('root', objectNode([fieldNode('album', renderedMembers(['<album id="1"/>']))]), style)).toContain(
      '<root><album id="1"/></root>',
    );
  });
  it('gathers and streams what comes in batches', async () => {
    expect(String(await gatherParts(jsonParts(document(later()))))).toBe('{"n":2,"person":[1,2,3]}');
    let text = '';
    for await (const chunk of await streamParts(jsonParts(document(later())))) text += String(chunk);
    expect(text).toBe('{"n":2,"person":[1,2,3]}');
  });
  it('leaves a streamed document whole where it is wanted, unless it is too long', async () => {
    const kept: string[] = [];
    const taken = async (maxBytes: number) => {
      const keep = (body: Buffer) => kept.push(String(body));
      for await (const _ of await streamParts(jsonParts(document(later())), undefined, { maxBytes, keep }));
    };
    await taken('{"n":2,"person":[1,2,3]}'.length);
    await taken('{"n":2,"person":[1,2,3]}'.length - 1);
    expect(kept).toEqual(['{"n":2,"person":[1,2,3]}']);
  });
  it('cuts long lists into pieces', async () => {
    const long = Array.from({ length: 20_000 }, (_, index) => `"${index} ünd"`);
    const chunks: Buffer[] = [];
    for await (const chunk of await streamParts(jsonParts(document(long)))) chunks.push(chunk as Buffer);
    expect(chunks.length).toBeGreaterThan(2);
    expect(String(Buffer.concat(chunks))).toBe(`{"n":2,"person":[${long.join(',')}]}`);
  });
});
