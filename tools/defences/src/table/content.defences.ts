import { defencesOf, type Defence } from '../defence.js';

const mediaStore = 'chassis/src/media-store/adapters/local-media-store.ts';
const auth = 'gateway/src/auth';
const hidden = 'gateway/src/access-matrix/hidden-catalog.int.spec.ts';
const heads = 'gateway/src/access-matrix/route-heads.int.spec.ts';
const twoGateways = `${auth}/create-auth.int.spec.ts`;

/** Rows 7, 9, 10, 11, 12, 17, 19 and 20: what somebody sees, and what it does to who looks at it. */
export const contentDefences: readonly Defence[] = defencesOf([
  [
    7,
    'leave a catalog by the path of a song',
    mediaStore,
    'if (!isInside(folder, file)) throw notFound();',
    '',
    'gateway/src/access-matrix/threats.int.spec.ts',
  ],
  [
    7,
    'leave a catalog for a neighbour whose name begins alike',
    mediaStore,
    'realFolder.endsWith(sep) ? realFolder : `${realFolder}${sep}`',
    'realFolder',
    'gateway/src/access-matrix/threats.int.spec.ts',
  ],
  [
    7,
    'make up the address of a file of another place',
    'chassis/src/media-store/place/loopback-media.ts',
    "if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Rejection('media.not-found');",
    '',
    'chassis/src/media-store/place/loopback-media.int.spec.ts',
  ],
  [
    10,
    'declare entities in a playlist',
    'playlist-files/src/format/xspf.ts',
    "parser.on('doctype', refuseDocumentType);",
    '',
    'playlist-files/src/format/read.unit.spec.ts',
  ],
  [
    10,
    'nest a playlist without end',
    'playlist-files/src/format/xspf.ts',
    'if (this.#path.length >= MAX_DEPTH)',
    'if (false)',
    'playlist-files/src/format/read.unit.spec.ts',
  ],
  [
    11,
    'write markup into an answer',
    'gateway/src/render/xml-text.ts',
    'clean.replace(/[&<>\\r]/g, (char) => textEscapes[char] ?? char)',
    'clean',
    'gateway/src/render/xml-text.unit.spec.ts',
  ],
  [
    19,
    'break an answer by characters that XML forbids',
    'gateway/src/render/xml-text.ts',
    "whole.replace(EVERY_FORBIDDEN, '')",
    'whole',
    'gateway/src/render/render.unit.spec.ts',
  ],
  [
    11,
    'have a browser guess the kind of what is sent',
    'gateway/src/http/heads.ts',
    ".header('x-content-type-options', 'nosniff')",
    '',
    'gateway/src/media/media.int.spec.ts',
  ],
  [11, 'run what a document holds', 'gateway/src/http/heads.ts', ".header('content-security-policy', DOCUMENT_POLICY)", '', heads],
  [12, 'smuggle a request behind another', 'gateway/src/http/server.ts', 'insecureHTTPParser: false', 'insecureHTTPParser: true', heads],
  [
    17,
    'see every catalog, in every read',
    'gateway/src/reads/viewer.ts',
    "viewer.catalogs === 'all' ? sql<SqlBool>`true` :",
    'true ? sql<SqlBool>`true` :',
    hidden,
  ],
  [
    17,
    'have sums shown that are made of all catalogs',
    'gateway/src/reads/viewer.ts',
    "(viewer: Viewer): boolean => viewer.catalogs === 'all';",
    '(_viewer: Viewer): boolean => true;',
    hidden,
  ],
  [
    17,
    'see everything in an empty group',
    `${auth}/catalog-visibility.ts`,
    '(ofGroup.get(groupId) ?? [])',
    "(ofGroup.get(groupId) ?? 'all')",
    twoGateways,
  ],
  [
    17,
    'come in before the groups are in the tables',
    `${auth}/create-auth.ts`,
    '    await groupsInView({ nats, readCheckpoints: readSide.readCheckpoints });\n',
    '',
    twoGateways,
  ],
  [
    17,
    'see a catalog that was just taken away',
    `${auth}/create-auth.ts`,
    "'social-access-list', 'social-catalog-groups'] as const",
    "'social-access-list'] as const",
    twoGateways,
  ],
  [
    20,
    'run a script as the name of a function',
    'gateway/src/compat/request.ts',
    'IDENTIFIER.test(callback) ?',
    "callback !== '' ?",
    'gateway/src/compat/request.unit.spec.ts',
  ],
]);
