import { describe, expect, it } from 'vitest';
import { xmlAttribute, xmlCdata, xmlName, xmlText } from './xml-text.js';

const HOSTILE = `</song><script a='1' b="2">&amp;]]>\u0000\r\ufffe`;

describe('text in XML', () => {
  it('opens and closes nothing, and holds nothing that XML forbids', () => {
    expect(xmlText(HOSTILE)).toBe(`&lt;/song&gt;&lt;script a='1' b="2"&gt;&amp;amp;]]&gt;&#13;`);
    expect(xmlAttribute(HOSTILE)).toBe(`&lt;/song&gt;&lt;script a='1' b=&quot;2&quot;&gt;&amp;amp;]]&gt;&#13;`);
    expect(xmlCdata(HOSTILE)).toBe(`<![CDATA[</song><script a='1' b="2">&amp;]]]]><![CDATA[>\r]]>`);
    expect(xmlName('a b>')).toBe('a_b_');
    expect(xmlText('\ud800')).toBe('\ufffd');
  });
});
