import { z } from 'zod';

/** Type of a catalog's storage: a folder of this machine, S3-compatible storage, or another server. */
export const catalogType = z.enum(['local', 's3', 'subsonic', 'remote']);
export type CatalogType = z.infer<typeof catalogType>;

/** Connection of a catalog that is no folder of this machine, beside its address. */
export const catalogConnection = z.object({
  /** Region of S3 storage. */
  region: z.string().max(100).optional(),
  /** Sealed JSON of {@link catalogCredentials}; without it the settings of the server count. */
  sealedCredentials: z.string().max(8192).optional(),
});
export type CatalogConnection = z.infer<typeof catalogConnection>;

/** Credentials for storage: of S3 the access key and its secret, of a server the account and its password. */
export const catalogCredentials = z.object({ name: z.string().min(1).max(1024), secret: z.string().min(1).max(4096) });
export type CatalogCredentials = z.infer<typeof catalogCredentials>;

/** The address of a catalog that is no folder of this machine, taken apart. */
export type StorageAddress =
  | {
      readonly type: 's3';
      /** Absent: that of the region. */
      readonly endpoint?: string;
      readonly bucket: string;
      /** Empty, or with `/` at its end. */
      readonly prefix: string;
    }
  | { readonly type: 'subsonic' | 'remote'; /** Without `/` at its end. */ readonly url: string };

const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i;
const HIDDEN_SEGMENTS = new Set(['', '.', '..']);

/** Segments of a path, or undefined when some of them cannot be. */
const segmentsOf = (path: string): string[] | undefined => {
  const segments = path.replace(/\/+$/, '').split('/');
  if (segments.length === 1 && segments[0] === '') return [];
  return segments.some((segment) => HIDDEN_SEGMENTS.has(segment)) ? undefined : segments;
};

const s3Address = (path: string, endpoint?: string): StorageAddress | undefined => {
  const [bucket = '', ...rest] = segmentsOf(path) ?? [];
  if (!BUCKET.test(bucket)) return undefined;
  const prefix = rest.length === 0 ? '' : `${rest.join('/')}/`;
  return { type: 's3', bucket, prefix, ...(endpoint === undefined ? {} : { endpoint }) };
};

const webAddress = (text: string): URL | undefined => {
  const url = URL.parse(text);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isPlain && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined;
};

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray % is no address.
    return undefined;
  }
};

/**
 * Reads the address of a catalog: `s3://bucket/prefix` at the endpoint of a region, `s3+https://host:9000/bucket/prefix` at another one,
 * `subsonic+https://host/path` and `remote+https://host/path` for other servers. Undefined for a folder of this machine, and for what is none of these.
 */
export const parseStorageAddress = (text: string): StorageAddress | undefined => {
  if (text.startsWith('s3://')) return s3Address(text.slice('s3://'.length));
  const found = /^(s3|subsonic|remote)\+(https?:\/\/.*)$/s.exec(text);
  const url = found && webAddress(found[2] ?? '');
  if (!found || !url) return undefined;
  if (found[1] === 's3') {
    const path = decoded(url.pathname.slice(1));
    return path === undefined ? undefined : s3Address(path, url.origin);
  }
  return { type: found[1] as 'subsonic' | 'remote', url: `${url.origin}${url.pathname.replace(/\/+$/, '')}` };
};

/** The one form in which an address is kept, so that the same place has the same. */
export const storageAddressText = (address: StorageAddress): string => {
  if (address.type !== 's3') return `${address.type}+${address.url}`;
  const { bucket, prefix, endpoint } = address;
  const path = `${bucket}/${prefix}`.replace(/\/$/, '');
  return endpoint === undefined ? `s3://${path}` : `s3+${endpoint}/${path.split('/').map(encodeURIComponent).join('/')}`;
};

/** True when a catalog's root is no folder of this machine. */
export const isElsewhere = (root: string): boolean => /^(?:s3:|(?:s3|subsonic|remote)\+https?:)\/\//.test(root);
