import { describe, expect, it } from 'vitest';
import { parseForm } from './parameters.js';

describe('parameters of a form', () => {
  it('are texts, and lists where a name comes again or ends with brackets', () => {
    expect({ ...parseForm('a=1&b=2&a=3&c[]=4&a=') }).toEqual({ a: ['1', '3', ''], b: '2', c: ['4'] });
    expect(Object.keys(parseForm('__proto__=1&__proto__=2'))).toEqual(['__proto__']);
  });

  it('are read in a moment, however often one comes', () => {
    const many = Array.from({ length: 50_000 }, (_, n) => String(n));
    const startedAtMs = performance.now();
    expect(parseForm(many.map((value) => `id=${value}`).join('&'))).toMatchObject({ id: many });
    // Copying the list for each value takes half a minute.
    expect(performance.now() - startedAtMs).toBeLessThan(5000);
  });
});
