import fc from 'fast-check';
import { LAST_ID, type Body, type CallerName, type Step } from '../wire/step.js';
import { hostileValue } from './hostile.js';
import { resolved, type Schema } from './documents.js';
import { manageOperations, type ManageOperation } from './manage-document.js';
import { pair, someCaller, someHeaders, someMethod, somePlace, strangeBody, unexpectedParameters } from './pieces.js';
import { hostilityLevels, valueOf, type HostilityLevel, type Known } from './values.js';

/** Writes by which administrators could take away what the campaign stands on, or show what it hides: theirs name nothing that there is. */
const DANGEROUS = /^(?:change|delete|revoke|move)(?:Account|Key|Catalog|CatalogFiles|CatalogGroup|AccessRule)$/;
/** A catalog of any folder of this machine. */
const FORBIDDEN = /^createCatalog$/;

const FAR_ID = 1_000_000;
const LONGEST_LIST = 4;

interface Aim {
  readonly known: Known;
  readonly temper: HostilityLevel;
}

const wrong: fc.Arbitrary<unknown> = fc.oneof(
  hostileValue.map(({ value }) => value),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(null, -1, 0, 1.5, 2 ** 31, 1e300, [], {}, [[]], '\u0000'),
);
const WRONG_WEIGHT: Readonly<Record<HostilityLevel, number>> = { mild: 0, mixed: 1, wild: 8 };

const integer = ({ known }: Aim, { minimum = -10, maximum = FAR_ID }: Schema): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom(...known.ids.map(Number)),
    fc.integer({ min: Math.max(minimum, -FAR_ID), max: Math.min(maximum, FAR_ID) }),
    fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1),
  );

const fitting = (aim: Aim, name: string, schema: Schema): fc.Arbitrary<unknown> => {
  const { const: only, enum: values, anyOf, items, properties, required, type, ...bounds } = resolved(schema);
  if (only !== undefined) return fc.constant(only);
  if (values) return fc.constantFrom(...values);
  if (anyOf) return fc.oneof(...anyOf.map((one) => fitting(aim, name, one)));
  if (type === 'array') return fc.array(valueFor(aim, name, items ?? {}), { maxLength: LONGEST_LIST });
  if (properties) {
    const fields = Object.fromEntries(Object.entries(properties).map(([field, one]) => [field, valueFor(aim, field, one)]));
    return fc.record(fields, { requiredKeys: aim.temper === 'wild' ? [] : [...(required ?? [])] });
  }
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'integer' || type === 'number') return integer(aim, bounds);
  return valueOf(aim.known, name, { isCompat: false, temper: aim.temper }).map(({ value }) => value);
};

/** A value of a schema, and now and then one that is none of it. */
const valueFor = (aim: Aim, name: string, schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 10, arbitrary: fc.constant(undefined).chain(() => fitting(aim, name, schema)) },
    ...(WRONG_WEIGHT[aim.temper] > 0 ? [{ weight: WRONG_WEIGHT[aim.temper], arbitrary: wrong }] : []),
  );

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const bodyFor = (aim: Aim, { body }: ManageOperation): fc.Arbitrary<Body> =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: body
        ? valueFor(aim, '', body).map((value): Body => ({ kind: 'json', text: JSON.stringify(value) }))
        : fc.constant<Body>({ kind: 'none' }),
    },
    { weight: aim.temper === 'mild' ? 0 : 1, arbitrary: strangeBody },
  );

const segment = (aim: Aim, name: string, schema: Schema, isFar: boolean): fc.Arbitrary<string> => {
  if (isFar) return fc.integer({ min: FAR_ID, max: 2 * FAR_ID }).map(String);
  const usual = fc.oneof({ weight: 4, arbitrary: valueFor(aim, name, schema).map(asText) }, { weight: 1, arbitrary: fc.constant(LAST_ID) });
  return usual.map((text) => (text === LAST_ID ? text : encodeURIComponent(text.toWellFormed().slice(0, 900)) || '%20'));
};

const pathFor = (aim: Aim, { path, parameters }: ManageOperation, isFar: boolean): fc.Arbitrary<string> => {
  const named = parameters.filter((one) => one.in === 'path');
  return fc
    .tuple(...named.map(({ name, schema }) => segment(aim, name, schema, isFar)))
    .map((texts) => `/manage/v1${named.reduce((whole, { name }, at) => whole.replace(`{${name}}`, texts[at] ?? ''), path)}`);
};

const conditions = fc.oneof(
  { weight: 5, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('if-match', 'if-none-match', 'idempotency-key'),
        fc.constantFrom('*', '"a"', 'W/"a"', 'a', '', 'x'.repeat(400)),
      )
      .map((header) => [header]),
  },
);

/** Nearly all operations are refused to everybody else before their input is read. */
const mostlyAdmin = fc.oneof(fc.constant<CallerName>('admin'), someCaller);

const callOf = (aim: Aim, operation: ManageOperation): fc.Arbitrary<Step> =>
  mostlyAdmin.chain((wanted) => {
    const isDangerous = DANGEROUS.test(operation.name);
    const caller: CallerName = wanted === 'admin' && FORBIDDEN.test(operation.name) ? 'catalog' : wanted;
    const query = operation.parameters.filter((one) => one.in === 'query');
    return fc
      .record({
        path: pathFor(aim, operation, isDangerous && caller === 'admin'),
        method: fc.oneof({ weight: 15, arbitrary: fc.constant(operation.method) }, { weight: isDangerous ? 0 : 1, arbitrary: someMethod }),
        query: fc
          .subarray([...query])
          .chain((some) =>
            fc.tuple(...some.map(({ name, schema }) => valueFor(aim, name, schema).map((value) => pair(name, { value: asText(value) })))),
          ),
        more: unexpectedParameters(query.map(({ name }) => name)),
        body: bodyFor(aim, operation),
        credential: somePlace,
        headers: fc.tuple(conditions, someHeaders).map((all) => all.flat()),
      })
      .map(({ more, query: own, method, body, ...rest }): Step => ({
        surface: 'manage',
        what: operation.name,
        caller,
        method,
        query: aim.temper === 'mild' ? own : [...own, ...more],
        body: method === 'GET' || method === 'HEAD' ? { kind: 'none' } : body,
        ...rest,
      }));
  });

const callsOf = (known: Known, operations: readonly ManageOperation[]): fc.Arbitrary<Step> =>
  fc
    .tuple(fc.constantFrom(...operations), fc.constantFrom(...hostilityLevels))
    .chain(([operation, temper]) => callOf({ known, temper }, operation));

/** A call of the management API, of what its document tells. */
export const manageCall = (known: Known): fc.Arbitrary<Step> => callsOf(known, manageOperations);

/** A call of the management API that only reads. */
export const manageReading = (known: Known): fc.Arbitrary<Step> =>
  callsOf(
    known,
    manageOperations.filter(({ method }) => method === 'GET'),
  ).map((step) => ({ ...step, method: 'GET', body: { kind: 'none' } }));
