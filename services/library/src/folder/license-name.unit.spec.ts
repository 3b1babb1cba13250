import { describe, expect, it } from 'vitest';
import { licenseNameOf } from './license-name.js';

describe('the name of a licence', () => {
  it.each([
    ['http://creativecommons.org/licenses/by-sa/4.0/', 'CC BY-SA 4.0'],
    ['https://www.creativecommons.org/licenses/by-nc-nd/3.0/de/', 'CC BY-NC-ND 3.0 DE'],
    ['https://creativecommons.org/licenses/by/4.0/deed.en', 'CC BY 4.0'],
    ['https://creativecommons.org/licenses/by/4.0/legalcode', 'CC BY 4.0'],
    ['HTTPS://CREATIVECOMMONS.ORG/LICENSES/BY/2.5', 'CC BY 2.5'],
    ['http://creativecommons.org/publicdomain/zero/1.0/', 'CC0 1.0'],
    ['https://creativecommons.org/publicdomain/mark/1.0/', 'Public Domain Mark 1.0'],
  ])('of %s is %s', (tag, name) => {
    expect(licenseNameOf(tag)).toEqual({ name, externalLink: tag });
  });

  it('is taken from a link within a sentence', () => {
    expect(licenseNameOf('2011 Somebody. Licensed to the public under http://creativecommons.org/licenses/by/3.0/, thanks')).toEqual({
      name: 'CC BY 3.0',
      externalLink: 'http://creativecommons.org/licenses/by/3.0/',
    });
  });

  it('is the text itself when no such link is in it', () => {
    expect(licenseNameOf('  All rights\n reserved ')).toEqual({ name: 'All rights reserved', externalLink: '' });
    expect(licenseNameOf('https://example.org/terms.')).toEqual({
      name: 'https://example.org/terms.',
      externalLink: 'https://example.org/terms',
    });
    expect(licenseNameOf('javascript:alert(1)')).toEqual({ name: 'javascript:alert(1)', externalLink: '' });
    expect(licenseNameOf('creativecommons.org/licenses/by/4.0')).toEqual({ name: 'creativecommons.org/licenses/by/4.0', externalLink: '' });
  });
});
