import { describe, expect, it } from 'vitest';
import { expressionFault } from './regular-expression.js';

describe('regular expressions of clients', () => {
  it.each(['^the', 'a{3}', '[0-9]{1,3}(\\.[0-9]{1,3}){3}', '(a|b)+c*', 'a{200,}', '(a{1,10}){100}', 'braces {x}'])(
    '%s is taken',
    (pattern) => {
      expect(expressionFault(pattern)).toBeUndefined();
    },
  );
  it.each(['((a{1,200}){1,200})', '((((a{1,200}){1,200}){1,200}){1,200})', '(a{40,}){40}', '(a{255}(?#why)){255}', 'a{0,99999}'])(
    '%s unfolds to too much',
    (pattern) => {
      expect(expressionFault(pattern)).toContain('1000');
    },
  );
  it.each(['(?x)(a{2 0 0}) {200}', '***:(?ix)a', '(?nx)a'])('%s is not what it seems to be', (pattern) => {
    expect(expressionFault(pattern)).toContain('blanks');
  });
});
