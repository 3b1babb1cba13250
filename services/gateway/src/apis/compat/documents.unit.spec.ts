import { productVersion } from '@continuo/chassis';
import { describe, expect, it } from 'vitest';
import { buildObject } from '../../render/object-table.js';
import { objectNode, fieldNode } from '../../render/node.js';
import { printJson, printXml } from '../../../test/render/print.js';
import { containerBody, documentWriter, errorDocument, okDocument } from './documents.js';
import { CompatError, toCompatError } from './errors.js';
import { partialDate } from './dates.js';
import { genre } from './objects/small.object.js';
import { compatXml, extended, legacy } from './policy.js';

const ns = 'xmlns="http://subsonic.org/restapi"';

describe('the envelope', () => {
  it('says who answers in the extended form, with the version early', () => {
    expect(okDocument('json', extended)).toBe(
      `{"subsonic-response":{"status":"ok","version":"1.16.1","type":"continuo","serverVersion":"${productVersion}","openSubsonic":true}}`,
    );
    expect(okDocument('xml', extended)).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<subsonic-response ${ns} status="ok" version="1.16.1" type="continuo" serverVersion="${productVersion}" openSubsonic="true"/>`,
    );
  });

  it('is bare in the legacy form', () => {
    expect(okDocument('json', legacy)).toBe('{"subsonic-response":{"status":"ok","version":"1.16.1"}}');
    expect(okDocument('xml', legacy)).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<subsonic-response ${ns} status="ok" version="1.16.1"/>`,
    );
  });

  it('carries errors in both forms', () => {
    const error = new CompatError(42, 'switched off', 'https://example.org/help');
    expect(errorDocument(error, 'json', extended)).toBe(
      `{"subsonic-response":{"status":"failed","version":"1.16.1","type":"continuo","serverVersion":"${productVersion}","openSubsonic":true,"error":{"code":42,"message":"switched off","helpUrl":"https://example.org/help"}}}`,
    );
    expect(errorDocument(error, 'xml', legacy)).toContain('<error code="40" message="switched off"/>');
  });

  it('shows nothing of an unexpected failure', () => {
    expect(toCompatError(new Error('password=secret'))).toMatchObject({ code: 0, message: expect.not.stringContaining('secret') });
  });

  it('is the same whether it is compiled or printed from its tree', () => {
    const writer = documentWriter(containerBody('genres', 'genre', genre));
    const source = { payload: [{ id: 1, name: 'Drum & "Bass" <\u0007>', songCount: 3, albumCount: 1 }] };
    for (const policy of [extended, legacy]) {
      const tree = buildObject(writer.table, source, undefined, policy.profile);
      expect(writer.write(source, 'xml', policy)).toBe(printXml('subsonic-response', tree, compatXml));
      expect(writer.write(source, 'json', policy)).toBe(printJson(objectNode([fieldNode('subsonic-response', tree)])));
    }
  });

  it('keeps an empty list as an empty array', () => {
    const writer = documentWriter(containerBody('genres', 'genre', genre));
    expect(writer.write({ payload: [] }, 'json', legacy)).toBe(
      '{"subsonic-response":{"status":"ok","version":"1.16.1","genres":{"genre":[]}}}',
    );
    expect(writer.write({ payload: [] }, 'xml', legacy)).toContain('<genres/>');
  });
});

describe('partial dates', () => {
  it('hold what is known', () => {
    expect(partialDate('2004-05-12')).toEqual({ year: 2004, month: 5, day: 12 });
    expect(partialDate('2004-05')).toEqual({ year: 2004, month: 5 });
    expect(partialDate('2004-00-00')).toEqual({ year: 2004 });
    expect(partialDate(undefined)).toEqual({});
    expect(partialDate('0000')).toEqual({});
  });
});
