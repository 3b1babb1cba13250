import { trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { contextFrom, traceparentOf } from './traceparent.js';

const good = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('traceparent', () => {
  it('comes back as it went in', () => {
    expect(traceparentOf(trace.getSpanContext(contextFrom(good)))).toBe(good);
  });

  it('is read from a later version that adds fields', () => {
    expect(traceparentOf(trace.getSpanContext(contextFrom(`01${good.slice(2)}-more`)))).toBe(good);
  });

  it.each([
    undefined,
    '',
    'rubbish',
    good.toUpperCase(),
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`,
  ])('is ignored when it cannot be used: %s', (text) => {
    expect(traceparentOf(trace.getSpanContext(contextFrom(text)))).toBeUndefined();
  });
});
