import { describe, expect, it } from 'vitest';
import { compatGoldens } from '../calls/compat/endpoint.cases.js';
import { annotationCases } from '../calls/native/annotation.cases.js';
import { listenerCases, unauthenticatedCases } from '../calls/native/caller.cases.js';
import { cases } from '../calls/native/cases.js';
import { goldenAnswers, goldenNames, goldenText } from './golden.js';
import { answerLines, readGoldenText, writeGoldenText, type GoldenAnswers } from './golden-text.js';

const answersOf = (json: Record<string, string>, xml: Record<string, string>): GoldenAnswers => ({
  json: new Map(Object.entries(json)),
  xml: new Map(Object.entries(xml)),
});

describe('a golden file', () => {
  const json = '{"a":[],"b":[{"c":"x, {y} \\"z\\""},1],"d":{}}';
  const xml = '<?xml version="1.0"?>\n<r a="1 b=" c="2"><e/><t>one\n  two</t><u><![CDATA[<x> a="1" ]]></u></r>';

  it('has a line for each member, element and attribute', () => {
    expect(answerLines('json', json)).toHaveLength(10);
    expect(answerLines('xml', xml)).toEqual([
      '<?xml version="1.0"?>↵',
      '<r a="1 b="',
      '  c="2">',
      '  <e/>',
      '  <t>one↵',
      '  two</t>',
      '  <u><![CDATA[<x> a="1" ]]></u>',
      '</r>',
    ]);
  });
  it('gives back every byte, and names variants only where they differ', () => {
    const answers = answersOf({ 8: json, 6: json, 5: json.replace('1]', '2]'), 4: '[]' }, { 8: xml, 3: xml.replace('<e/>', '') });
    const text = writeGoldenText(answers);
    expect(readGoldenText(text)).toEqual(answers);
    expect(text).toContain('8 6   |     1\n5     |     2\n');
    expect(text).toContain('== json 4\n | []\n');
    expect(text).toContain('8   |   <e/>\n');
  });
  it('does not depend on the order in which answers were added', () => {
    const [first, second] = [answersOf({ 8: json, 6: '{"a":1}' }, {}), answersOf({ 6: '{"a":1}', 8: json }, {})];
    expect(writeGoldenText(first)).toBe(writeGoldenText(second));
  });
});

/** Variants in which a case is called, where they are not all. */
const FEWER: Readonly<Record<string, { json: string[]; xml: string[] }>> = {
  'update_art (found)': { json: ['4', '5', '6', '8'], xml: ['4', '5', '6', '8'] },
  'upload (file)': { json: ['8'], xml: ['8'] },
};

describe.each([
  [
    'native',
    [cases, unauthenticatedCases, listenerCases, annotationCases].flatMap((group) => Object.keys(group)).concat(Object.keys(FEWER)),
    { json: ['4', '5', '6', '8'], xml: ['3', '4', '5', '6', '8'] },
  ],
  [
    'compat',
    [...Object.values(compatGoldens).flatMap((all) => all.map(({ name }) => name)), 'jukeboxControl-empty'],
    { json: ['opensubsonic', 'subsonic'], xml: ['opensubsonic', 'subsonic'] },
  ],
] as const)('golden files of the %s API', (api, names, all) => {
  it('are there for every case, and for nothing else', () => {
    expect(goldenNames(api).toSorted()).toEqual([...names].toSorted());
  });
  it('hold every variant in every format, in the form in which they are written', () => {
    for (const name of names) {
      const answers = goldenAnswers(api, name);
      const variants = { json: [...answers.json.keys()].toSorted(), xml: [...answers.xml.keys()].toSorted() };
      const expected = FEWER[name] ?? all;
      expect([name, variants]).toEqual([name, expected]);
      expect([name, writeGoldenText(answers) === goldenText(api, name)]).toEqual([name, true]);
    }
  }, 30_000);
});
