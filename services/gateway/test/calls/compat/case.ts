import type { CallParams, TestAccount } from '../../servers/compat-server.js';
import type { CompatErrorCode } from '../../../src/apis/compat/errors.js';

/** A call, and what it must come to where that is not what its column says. */
export interface Case {
  readonly params?: CallParams;
  /** Caller; ada, an administrator, when absent. */
  readonly as?: TestAccount;
  /** Sent as JSON in the body. */
  readonly body?: object;
  /** Asked of the server that holds nothing. */
  readonly nothingThere?: true;
  /** The refusal; `ok` for what is answered, since what is wrong with it counts as not said. */
  readonly code?: CompatErrorCode | 'ok';
  /** Rest of the name of its golden file, after the operation; empty when that is all. */
  readonly golden?: string;
}

/** Calls of one kind, or why there can be none. */
export type Cases = readonly [Case, ...Case[]] | string;

/** The five ways in which an operation is called. */
export interface EndpointCases {
  /** Expected outcome: ok, or bytes for media operations. */
  readonly success: Cases;
  /** Ok, and every list of the answer is empty. */
  readonly empty: Cases;
  /** Refused with 10 when nothing else is said. */
  readonly badParameter: Cases;
  /** Refused with 70 when nothing else is said. */
  readonly notFound: Cases;
  /** Refused with 50 when nothing else is said. Calls with wrong credentials are refused with 40 everywhere, which needs no rows. */
  readonly notAllowed: Cases;
}

type More = Omit<Case, 'params' | 'golden'>;

/** A call with some parameters. */
export const call = (params: CallParams, more: More = {}): Case => ({ ...more, params });
/** A call with a golden file, by what follows the operation in the name of the file. */
export const golden = (name: string, params: CallParams = {}, more: More = {}): Case => ({ ...more, params, golden: name });

const everybody = 'every account may, guests included';

/** Reasons why there are no calls of a kind. */
export const why = {
  noParameters: 'it has no parameters of its own',
  noList: 'it answers no list',
  does: 'it does something and answers an empty envelope',
  namesNothing: 'it names nothing that could be missing',
  everybody,
  bytes: 'it answers bytes',
  onlySeen: `${everybody}; what the account may not see is missing from it: access-matrix/hidden-catalog.int.spec.ts`,
};

/** A folder that cannot exist shows nothing. */
export const noFolder = call({ musicFolderId: 99 });
export const nothingThere: Case = { nothingThere: true };

/** Row of an operation without parameters, with a golden file and for everybody; `more` says what differs. */
export const simple = (empty: Cases, more: Partial<EndpointCases> = {}): EndpointCases => ({
  success: [golden('')],
  empty,
  badParameter: why.noParameters,
  notFound: why.namesNothing,
  notAllowed: why.everybody,
  ...more,
});

/** An id of the same kind of thing, of which there is none. */
const missing = (id: string): string => `${id.slice(0, 3)}999`;

/** Row of an operation about one thing that everybody may see; `other` is an id of another kind. */
export const browsed = (id: string, other: string, more: Partial<EndpointCases> = {}): EndpointCases => ({
  success: [golden('', { id })],
  empty: 'a thing without parts is not kept',
  badParameter: [{}, call({ id: '' })],
  notFound: [call({ id: missing(id) }), call({ id: other }), call({ id: 'nonsense' })],
  notAllowed: why.onlySeen,
  ...more,
});

/** Row of a task about one thing, for managers of podcasts. */
export const podcastTask = (id: string): EndpointCases => ({
  success: [golden('', { id })],
  empty: why.does,
  badParameter: [{}, call({ id: '' })],
  notFound: [golden('unknown', { id: `${id.slice(0, 3)}99` }), call({ id: 'so-1' }), call({ id: 'nonsense' })],
  notAllowed: [call({ id }, { as: 'bob' }), call({ id }, { as: 'gus' })],
});
