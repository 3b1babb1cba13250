import { constants } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { answerQuery, SERVICE_DEPENDENCIES, type Running, type ServiceDependencies } from '@continuo/chassis';
import { MAX_SERVER_FOLDERS, Rejection, SERVER_FOLDERS_SUBJECT, serverFoldersQuery, type ServerFolders } from '@continuo/contracts';
import { Inject, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { LibraryConfig } from '../config.js';
import { folderTerms, refuseHidden, usableFolder, type FolderTerms } from './catalog-folder.js';

type Listing = Exclude<ServerFolders, { refused: string }>;
type Folder = Listing['folders'][number];

/** Real path of a folder that may be looked at; undefined for all others, and for what cannot be read. */
const shownFolder = async (path: string, terms: FolderTerms): Promise<string | undefined> => {
  try {
    const real = await realpath(path);
    await refuseHidden(real, path, terms);
    await access(real, constants.R_OK | constants.X_OK);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch (error) {
    // Whether it is hidden, gone or closed is told to nobody.
    if (error instanceof Rejection || (error as NodeJS.ErrnoException).syscall !== undefined) return undefined;
    throw error;
  }
};

const reasonOf = async (path: string, terms: FolderTerms): Promise<string | null> => {
  try {
    await usableFolder(path, terms);
    return null;
  } catch (error) {
    if (error instanceof Rejection) return error.message;
    throw error;
  }
};

const shown = async (candidates: readonly Folder[], terms: FolderTerms): Promise<Folder[]> => {
  const found = await Promise.all(candidates.map(async ({ name, path }) => ({ name, path: await shownFolder(path, terms) })));
  return found.flatMap(({ name, path }) => (path === undefined ? [] : [{ name, path }]));
};

/** Folders, and links to folders or anything else, by name; hidden ones are left out, as scans do. */
const candidatesIn = async (real: string): Promise<Folder[]> => {
  const entries = await readdir(real, { withFileTypes: true });
  return entries
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map(({ name }) => ({ name, path: join(real, name) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

/**
 * Lists the folders in a folder that may be looked at. Links are followed before anything is judged, so that neither they nor `..` lead elsewhere.
 * @param path absolute; null for the folders to begin with
 * @throws Rejection `catalog.path-unusable` for a folder that may not be looked at, is none or is not there
 */
export const listServerFolders = async (path: string | null, terms: FolderTerms): Promise<Listing> => {
  if (path === null) {
    const [only, ...more] = terms.roots;
    if (only !== undefined && more.length === 0) return listServerFolders(only, terms);
    const roots = terms.roots.map((root) => ({ name: basename(root) || root, path: root }));
    return { path: null, parent: null, unusable: null, folders: await shown(roots, terms), isCut: false };
  }
  const real = isAbsolute(path) ? await shownFolder(path, terms) : undefined;
  if (real === undefined) throw new Rejection('catalog.path-unusable', 'the server shows no such folder', path);
  const candidates = await candidatesIn(real).catch((cause: unknown) => {
    throw new Rejection('catalog.path-unusable', 'the server shows no such folder', path, { cause });
  });
  const folders = await shown(candidates.slice(0, MAX_SERVER_FOLDERS), terms);
  const parent = real === '/' ? null : ((await shownFolder(dirname(real), terms)) ?? null);
  return { path: real, parent, unusable: await reasonOf(real, terms), folders, isCut: candidates.length > MAX_SERVER_FOLDERS };
};

/** Answers gateways with folders of this machine. */
export class ServerFolderAnswers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  #answering: Running | undefined;

  constructor(@Inject(SERVICE_DEPENDENCIES) private readonly deps: ServiceDependencies<LibraryConfig>) {}

  onApplicationBootstrap(): void {
    const { nats, log, config } = this.deps;
    this.#answering = answerQuery({
      nats,
      log,
      subject: SERVER_FOLDERS_SUBJECT,
      query: serverFoldersQuery,
      answer: ({ path }) => listServerFolders(path, folderTerms(config)),
      refuse: (error) => {
        if (error instanceof Rejection) return { refused: error.message };
        throw error;
      },
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#answering?.stop();
  }
}
