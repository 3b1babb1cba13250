import type { ServerCommand } from '../child/server-process.js';

/** The only account, which may do everything. */
export interface S3Account {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Folder and port of a server, and the bucket that it begins with if it can. */
export interface S3Place {
  readonly home: string;
  readonly port: number;
  readonly bucket: string;
}

/** How a server is started. */
export type S3Command = Pick<ServerCommand, 'name' | 'bin' | 'args' | 'env'>;

/** One kind of server. */
export interface S3Kind {
  readonly account: S3Account;
  /** @param bin path of its program */
  readonly command: (bin: string, place: S3Place) => S3Command | Promise<S3Command>;
  /** Whether buckets can keep older versions of objects. */
  readonly keepsVersions: boolean;
  /** Whether it refuses requests to a region that is not its own. */
  readonly looksAtRegions: boolean;
  /** Whether it encrypts objects with keys of its own (SSE-S3). */
  readonly encrypts: boolean;
}
