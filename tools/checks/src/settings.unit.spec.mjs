import { describe, expect, it } from 'vitest';
import { commentsIn, fillTables, namesIn, tableOf } from './settings.mjs';

const source = `
const flag = z.enum(['on', 'off']);
export const settings = z.object({
  /** Where it listens. */
  HOST: z.string().default('0.0.0.0'),
  /** Something long
   * that needs two lines. */
  LONG_MS: z.coerce.number(),
  BARE: z.string(),
});`;

describe('settings of a source file', () => {
  it('are told by the comments above them', () => {
    expect(commentsIn(source)).toEqual({ HOST: 'Where it listens.', LONG_MS: 'Something long that needs two lines.' });
  });

  it('are found with and without a comment', () => {
    expect(namesIn(source)).toEqual(['HOST', 'LONG_MS', 'BARE']);
  });
});

describe('tables of settings', () => {
  const setting = { name: 'A_MS', byDefault: '`5`', values: 'text', meaning: 'One|two (native README section 5).' };

  it('show what operators need', () => {
    expect(tableOf([setting]).split('\n').at(-1)).toBe('| `A_MS` | `5` | text | One\\|two. |');
    expect(tableOf([])).toBe('Only the common settings.');
  });

  it('go between their marks, and are missed where these are not', () => {
    const page = 'a\n<!-- table: x -->\nold\n<!-- end -->\nb\n<!-- table: y -->\nkept\n<!-- end -->\n';
    expect(fillTables(page, { x: 'new' })).toBe('a\n<!-- table: x -->\n\nnew\n\n<!-- end -->\nb\n<!-- table: y -->\nkept\n<!-- end -->\n');
    expect(() => fillTables('nothing', { x: 'new' })).toThrow(/"x"/);
  });
});
