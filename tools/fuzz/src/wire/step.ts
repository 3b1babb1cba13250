/** Surfaces of the server, as reports name them. */
export const surfaceNames = [
  'native',
  'native-rest',
  'compat',
  'play',
  'picture',
  'share',
  'account-page',
  'register',
  'events',
  'hls',
  'upload',
  'manage',
  'status',
  'raw',
] as const;
/** One of the surfaces. */
export type SurfaceName = (typeof surfaceNames)[number];

/** Caller: unauthenticated, with a wrong credential, or an account of a level. */
export const callerNames = ['nobody', 'wrong', 'guest', 'user', 'content', 'catalog', 'admin'] as const;
/** One of the callers. */
export type CallerName = (typeof callerNames)[number];

/** Where a call shows who calls. */
export const credentialPlaces = ['header', 'parameter', 'password', 'cookie'] as const;
/** One of those places. */
export type CredentialPlace = (typeof credentialPlaces)[number];

/** A parameter: name and value, both still to be escaped; a `raw` value stands as it is in an address or a form. */
export interface Pair {
  readonly name: string;
  readonly value: string;
  readonly raw?: true;
}

/** Body of a request. */
export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'form'; readonly pairs: readonly Pair[] }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'multipart'; readonly pairs: readonly Pair[]; readonly file?: { readonly name: string; readonly base64: string } }
  | { readonly kind: 'bytes'; readonly type: string; readonly base64: string };

/** One request of a case, before ids and credentials are known. `@last@` in a value stands for the id that the case saw last. */
export interface Step {
  readonly surface: SurfaceName;
  /** Action, operation or route, for reports. */
  readonly what: string;
  readonly caller: CallerName;
  readonly credential: CredentialPlace;
  readonly method: string;
  /** Escaped, without the query. */
  readonly path: string;
  readonly query: readonly Pair[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Body;
  /** Format of the answer, where the surface has an envelope. */
  readonly format?: 'json' | 'xml';
  /** True when success may be bytes. */
  readonly binary?: true;
  /** Bytes for a connection of its own, base64: a request that no HTTP client would send. */
  readonly raw?: string;
  /** Pace of sending the bytes of {@link raw}: at once, or in small parts with pauses. */
  readonly pace?: 'whole' | 'drip';
  /** True for a request whose headers alone may be refused by the web server itself. */
  readonly loose?: true;
}

/** Stands in values for the id that an earlier answer of the same case named last. */
export const LAST_ID = '@last@';
