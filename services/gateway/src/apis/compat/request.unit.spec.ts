import { describe, expect, it } from 'vitest';
import { operationOf } from './registry/names.js';
import { checkCallback, checkClient, responseFormOf } from './request.js';

describe('the form of an answer', () => {
  it('is XML unless JSON is asked for', () => {
    for (const f of ['', 'xml', 'yaml']) expect(responseFormOf({ f })).toEqual({ format: 'xml' });
    expect(responseFormOf({ f: 'JSON' })).toEqual({ format: 'json' });
  });

  it('calls a function by a plain name only', () => {
    expect(responseFormOf({ f: 'jsonp', callback: 'jQuery.cb_1' })).toEqual({ format: 'json', callback: 'jQuery.cb_1' });
    for (const callback of ['', 'alert(1)', 'a;b', '1a', 'a..b', 'a b', '<script>', 'a'.repeat(200)]) {
      const params = { f: 'jsonp', callback };
      expect({ callback, form: responseFormOf(params) }).toEqual({ callback, form: { format: 'json' } });
      expect(() => checkCallback(params, responseFormOf(params))).toThrow(expect.objectContaining({ code: 10 }));
    }
  });
});

describe('what a client says of itself', () => {
  const code = (params: Record<string, string>): unknown => {
    try {
      checkClient(params);
      return 'fine';
    } catch (error) {
      return (error as { code: number }).code;
    }
  };

  it('needs a name and a version', () => {
    expect(code({ v: '1.16.1', c: 'app' })).toBe('fine');
    expect(code({ v: '1.16.1' })).toBe(10);
    expect(code({ c: 'app' })).toBe(10);
    expect(code({ v: 'new', c: 'app' })).toBe(10);
  });

  it('passes with an older version of the same protocol, and not with a newer one', () => {
    for (const v of ['1.2.0', '1.7.0', '1.15.0', '1.16', '1', '1.16.9', 'v1.16.1', 'V1.15'])
      expect({ v, code: code({ v, c: 'app' }) }).toEqual({ v, code: 'fine' });
    expect(code({ v: '1.17.0', c: 'app' })).toBe(30);
    expect(code({ v: '2.0.0', c: 'app' })).toBe(30);
    expect(code({ v: '0.9.0', c: 'app' })).toBe(20);
  });

  it('may be its own version in place of the protocol’s, from clients known for it', () => {
    for (const v of ['0.9.9', '2.0.0']) expect(code({ v, c: 'stmps' })).toBe('fine');
    expect(code({ c: 'stmps' })).toBe(10);
  });
});

describe('the name of an operation', () => {
  it('is taken with and without .view, in any letter case, and by its other names', () => {
    expect(operationOf('getAlbumList2.view')).toBe('getAlbumList2');
    expect(operationOf('GETALBUMLIST2')).toBe('getAlbumList2');
    expect(operationOf('getCompatExtensions.view')).toBe('getOpenSubsonicExtensions');
    for (const name of ['hls', 'hls.view', 'hls.m3u8', 'hls.m3u8.view']) expect(operationOf(name)).toBe('hls.m3u8');
    expect(operationOf('constructor')).toBeUndefined();
    expect(operationOf('')).toBeUndefined();
  });
});
