import { defencesOf, type Defence } from '../defence.js';

const paths = 'gateway/src/apis/native/server-paths.int.spec.ts';
const links = 'gateway/src/apis/native/objects/context.ts';
const folder = 'library/src/catalog/catalog-folder.ts';
const folders = 'library/src/catalog/catalog-folder.int.spec.ts';
const shownFolders = 'library/src/catalog/server-folders.ts';
const shownFoldersSpec = 'library/src/catalog/server-folders.int.spec.ts';
const names = 'chassis/src/security/safe-file-name.ts';
const safeNames = 'chassis/src/security/safe-file-name.unit.spec.ts';

/** Row 7: where files lie on the server, which folders may be catalogs, and names that files are saved by. */
export const serverPathDefences: readonly Defence[] = defencesOf([
  [
    7,
    'see where files lie below level 50',
    'gateway/src/reads/visibility/viewer.ts',
    '...(account.access < CONTENT_MANAGER ? { hidesServerPaths: true } : {}),',
    '',
    paths,
  ],
  [
    7,
    'see where the file of a song lies',
    links,
    'this.hidesServerPaths ? path : `${catalogPath}/${path}`',
    '`${catalogPath}/${path}`',
    paths,
  ],
  [7, 'see where a catalog lies', links, "this.hidesServerPaths ? '' : path", 'path', paths],
  [
    7,
    'see where a folder lies',
    'gateway/src/reads/library/folders.reads.ts',
    "hidesServerPaths === true ? sql`'/' || c.name` : sql`c.path`",
    'sql`c.path`',
    paths,
  ],
  [
    7,
    'confirm where a folder lies by asking for it',
    'gateway/src/reads/library/folders.reads.ts',
    '...(viewer.hidesServerPaths === true ? [] : [{ catalogId: id, root }]),',
    '{ catalogId: id, root },',
    paths,
  ],
  [
    7,
    'confirm where files lie by searching',
    'gateway/src/search/rules/file.rules.ts',
    "hidesServerPaths === true ? sql`''` : sql`(${root} || '/')`",
    "sql`(${root} || '/')`",
    paths,
  ],
  [7, 'make a catalog of a folder of the system', folder, 'if (system !== undefined) throw', 'if (false) throw', folders],
  [7, 'make a catalog of the data folder', folder, 'if (contains(await realOf(dataFolder), real))', 'if (false)', folders],
  [7, 'make a catalog around the data folder', folder, 'if (contains(real, data) && !isHiddenIn(real, data))', 'if (false)', folders],
  [
    7,
    'make a catalog of such a folder by a link',
    folder,
    'await refuseHidden(real, path, terms);',
    'await refuseHidden(path, path, terms);',
    folders,
  ],
  [7, 'make a catalog where none may be', folder, 'if (!allowed.some((root) => contains(root, real)))', 'if (false)', folders],
  [
    7,
    'look into folders by a link',
    shownFolders,
    'await refuseHidden(real, path, terms);',
    'await refuseHidden(path, path, terms);',
    shownFoldersSpec,
  ],
  [7, 'name a file so that it is saved elsewhere', names, `.replaceAll(/["*/:<>?\\\\|]/g, '_')`, '', safeNames],
  [7, 'name a file so that it is hidden', names, ".replace(/^\\.+/, '_')", '', safeNames],
  [7, 'name a file so that it looks like another kind', names, ".replaceAll(/[\\p{Cc}\\p{Cf}\\u2028\\u2029]/gu, '')", '', safeNames],
  [
    7,
    'name an episode so that it is saved elsewhere',
    'gateway/src/reads/podcasts/episode-files.ts',
    'safeFileNameOf(`${episode.podcastTitle} - ${episode.title}`, episodeSuffix(episode))',
    '`${episode.podcastTitle} - ${episode.title}.${episodeSuffix(episode)}`',
    'gateway/src/reads/podcasts/episode-files.unit.spec.ts',
  ],
]);
