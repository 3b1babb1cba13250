import { methodNamed } from '../../../src/apis/native/registry/index.js';
import { parametersOf } from '../../openapi/parameters.js';

const NAME = /^(?<action>\w+)(?: \((?<variant>(?!with)\w+)?(?: ?with (?<include>include))?\))?$/;

const needsFilter = (action: string): boolean =>
  parametersOf(methodNamed(action)?.schema).some(({ name, isRequired }) => name === 'filter' && isRequired);

/**
 * Query of a call by its name: an action, after which a type, `with include`, `missing` (no parameters) or `unknown` (an id that nothing has) may
 * stand in parentheses. Whatever needs an id is about the first thing of its kind.
 */
export const queryNamed = (name: string): string => {
  const { action = '', variant, include } = NAME.exec(name)?.groups ?? {};
  if (variant === 'missing') return `action=${action}`;
  if (variant === 'unknown') return `action=${action}&filter=99`;
  if (action === 'search_rules') return `action=${action}&filter=${variant}`;
  return [
    `action=${action}`,
    ...(variant === undefined ? [] : [`type=${variant}`]),
    ...(needsFilter(action) ? ['filter=1'] : []),
    ...(include === undefined ? [] : ['include=1']),
  ].join('&');
};

/** Calls by their names, which are separated by commas. */
export const callsNamed = (names: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names
      .trim()
      .split(/,\s*/)
      .map((name) => [name, queryNamed(name)]),
  );
