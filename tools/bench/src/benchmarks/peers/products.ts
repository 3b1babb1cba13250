import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NativeClient } from '../../harness/native-client.js';
import { standaloneProcess, standaloneProgram } from '../../harness/standalone-process.js';

/** Places that a server is started with; folders are absolute and its own. */
export interface ServerPlaces {
  readonly music: string;
  /** Empty at first. */
  readonly data: string;
  readonly port: number;
}

/** Command line of a server, with the environment variables that it needs beside those of this process. */
export interface ServerCommand {
  readonly bin: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A music server that the benchmark can start. All of them speak the Subsonic API. */
export interface Product {
  readonly name: string;
  readonly user: string;
  readonly password: string;
  readonly command: (places: ServerPlaces) => Promise<ServerCommand>;
  /** Adds the music folder, where the command line does not. */
  readonly addMusic?: (url: string, music: string) => Promise<void>;
}

const PASSWORD = 'bench peers password';
const API_KEY = randomBytes(16).toString('hex');

/** The standalone with the settings that a user gets from `npm start`. */
export const continuo: Product = {
  name: 'Continuo',
  user: 'admin',
  password: PASSWORD,
  command: ({ data, port }) =>
    Promise.resolve({
      bin: process.execPath,
      args: [...standaloneProcess().nodeOptions, standaloneProgram()],
      env: {
        ...standaloneProcess().environment,
        CONTINUO_DATA: data,
        PORT: String(port),
        HOST: '127.0.0.1',
        CONTINUO_ADMIN_PASSWORD: PASSWORD,
        CONTINUO_ADMIN_API_KEY: API_KEY,
        DATABASE_URL: '',
        NATS_URL: '',
      },
    }),
  addMusic: async (url, path) => {
    const client = await NativeClient.login({ url, apiKey: API_KEY });
    await client.call('catalog_add', { name: 'Music', path });
    client.close();
  },
};

/** Navidrome without anything that asks other servers or refuses requests that come too often. */
export const navidrome = (bin: string): Product => ({
  name: 'Navidrome',
  user: 'admin',
  password: 'admin',
  command: ({ music, data, port }) =>
    Promise.resolve({
      bin,
      args: ['--nobanner'],
      env: {
        ND_MUSICFOLDER: music,
        ND_DATAFOLDER: data,
        ND_ADDRESS: '127.0.0.1',
        ND_PORT: String(port),
        ND_DEVAUTOCREATEADMINPASSWORD: 'admin',
        ND_LOGLEVEL: 'error',
        ND_SCANNER_SCHEDULE: '0',
        ND_SCANNER_SCANONSTARTUP: 'false',
        ND_SCANNER_WATCHERWAIT: '0',
        ND_AUTHREQUESTLIMIT: '0',
        ND_DEVARTWORKMAXREQUESTS: '0',
        ND_ENABLEINSIGHTSCOLLECTOR: 'false',
        ND_ENABLEEXTERNALSERVICES: 'false',
        ND_ENABLEARTWORKPRECACHE: 'false',
      },
    }),
});

/** gonic with its defaults, which scan on request only. */
export const gonic = (bin: string): Product => ({
  name: 'gonic',
  user: 'admin',
  password: 'admin',
  command: async ({ music, data, port }) => {
    const folders = { podcast: join(data, 'podcasts'), playlists: join(data, 'playlists'), cache: join(data, 'cache') };
    for (const folder of Object.values(folders)) await mkdir(folder);
    const paths = Object.entries(folders).flatMap(([name, folder]) => [`-${name}-path`, folder]);
    const args = ['-music-path', music, '-db-path', join(data, 'gonic.db'), ...paths, '-listen-addr', `127.0.0.1:${port}`];
    return { bin, args, env: {} };
  },
});
