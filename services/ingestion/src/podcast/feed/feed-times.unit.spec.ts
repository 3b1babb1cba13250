import { describe, expect, it } from 'vitest';
import { durationOf, timeOf } from './feed-times.js';

const NOW = Date.UTC(2026, 5, 1);
const AT = Date.UTC(2026, 2, 3, 9, 8, 7);

describe('timeOf', () => {
  it.each([
    'Tue, 03 Mar 2026 09:08:07 GMT',
    'Tue, 3 Mar 2026 09:08:07 +0000',
    'Tue, 03 Mar 2026 10:08:07 +0100',
    'Tue, 03 Mar 2026 04:08:07 EST',
    'Tue, 03 Mar 2026 10:08:07 CET',
    'Tue, 03 Mar 2026 10:08:07 MEZ',
    'Tue, 03 Mar 2026 09:08:07 UT',
    'Tue, 03 Mar 2026 09:08:07 Z',
    'Tue, 03 Mar 2026 09:08:07',
    'Fri, 03 Mar 2026 09:08:07 GMT',
    'mardi, 03 Mar 2026 09:08:07 GMT',
    '03 Mar 26 09:08:07 GMT',
    'March 3rd, 2026 09:08:07',
    'Tue, 03 Mar 2026 09:08:07 +0000 (UTC)',
    '2026-03-03T09:08:07Z',
    '2026-03-03T09:08:07.000Z',
    '2026-03-03T10:08:07+01:00',
    '2026-03-03T10:08:07+0100',
    '2026-03-03 09:08:07',
    ' 2026-03-03T09:08:07 ',
    String(AT / 1000),
  ])('%j', (text) => expect(timeOf(text, NOW)).toBe(AT));

  it.each([
    ['2026-03-03', Date.UTC(2026, 2, 3)],
    ['Tue, 03 Sept 2024', Date.UTC(2024, 8, 3)],
    ['Tue, 03 Mar 2026 09:08 GMT', Date.UTC(2026, 2, 3, 9, 8)],
  ])('%j', (text, ms) => expect(timeOf(text, NOW)).toBe(ms));

  it.each([undefined, '', 'soon', 'Tue, 99 Foo 2026', '0000-00-00T00:00:00Z', '1969-01-01', '2999-01-01', '9'.repeat(200), '1e99'])(
    'nothing of %j',
    (text) => expect(timeOf(text, NOW)).toBeNull(),
  );
});

describe('durationOf', () => {
  it.each([
    ['90', 90],
    ['90.7', 90],
    ['1:30', 90],
    ['01:02:03', 3723],
    ['62:03', 3723],
    ['1h 2m 3s', 3723],
    ['1 hr, 2 min, 3 sec', 3723],
    ['12 minutes', 720],
    ['PT1H2M3S', 3723],
    [' 00:00:05 ', 5],
  ])('%j', (text, seconds) => expect(durationOf(text)).toBe(seconds * 1000));

  it.each([undefined, '', '0', '00:00:00', '-5', 'long', '1:2:3:4', '999999999', 'NaN', '9'.repeat(60)])('nothing of %j', (text) =>
    expect(durationOf(text)).toBeNull(),
  );
});
