import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ObjectTable } from '../render/object-table.js';
import { goldenPath } from '../testkit/golden.js';
import { albumId3, albumWithSongs } from './objects/album.object.js';
import { artistId3, artists, artistWithAlbums, folderArtist, indexes } from './objects/artist.object.js';
import { albumChild, folderChild, songChild } from './objects/child.object.js';
import { chatMessage } from './objects/chat-message.object.js';
import { directory } from './objects/directory.object.js';
import { genre, license, musicFolder, scanStatus, user } from './objects/small.object.js';
import { playlistObject, playlistWithSongs } from './objects/playlist.object.js';
import { listsByFolders, listsByTags } from './objects/search.object.js';
import { operationNames } from './registry/names.js';
import { registry } from './registry/registry.js';

/*
 * What this surface answers against the published descriptions, which are not part of the repository: where their folder is missing, nothing of this file is
 * checked, and its one test says so. The answers are the golden files, which another suite compares with the running surface byte for byte.
 */
const published = fileURLToPath(new URL('../../../../../shared/spec/compat/', import.meta.url));
const isHere = existsSync(published);
it.skipIf(isHere)('is NOT checked: the published descriptions (../shared/spec/compat) are not here', () => undefined);

interface Endpoint {
  readonly name: string;
  readonly params: readonly { readonly name: string }[];
  readonly binary?: boolean;
  /** A role, or null for every account. */
  readonly requires: string | null;
}
type Json = Record<string, unknown>;

let endpoints: readonly Endpoint[];
let openApi: Json;
let xsd: string;

const at = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (node as Json | undefined)?.[key], root);

/** Applies a JSON patch of plain additions, replacements and removals. */
const patch = (root: Json, operations: readonly { op: string; path: string; value?: unknown }[]): void => {
  for (const { op, path, value } of operations) {
    const keys = path
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const holder = at(root, keys.slice(0, -1)) as Json;
    const last = keys.at(-1) ?? '';
    if (op === 'remove') delete holder[last];
    else holder[last] = value;
  }
};

beforeAll(async () => {
  if (!isHere) return;
  const read = (name: string): Promise<string> => readFile(`${published}${name}`, 'utf8');
  endpoints = (JSON.parse(await read('endpoints.json')) as { endpoints: Endpoint[] }).endpoints;
  openApi = JSON.parse(await read('openapi.json')) as Json;
  patch(openApi, openApi['x-corrections'] as []);
  xsd = await read('subsonic-1.16.1.xsd');
});

const goldens = async (form: string, format: string): Promise<{ name: string; operation: string; text: string }[]> => {
  const files = (await readdir(goldenPath(`compat/${form}`))).filter((file) => file.endsWith(`.${format}`));
  return Promise.all(
    files.map(async (file) => {
      const [operation = ''] = file.split(/[-.]/);
      return {
        name: file,
        operation: operation === 'error' ? 'getSong' : operation,
        text: await readFile(goldenPath(`compat/${form}/${file}`), 'utf8'),
      };
    }),
  );
};

describe.skipIf(!isHere)('coverage', () => {
  it('has a row for every published operation and for no other', () => {
    expect(Object.keys(registry).toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted());
    expect([...operationNames].toSorted()).toEqual(Object.keys(registry).toSorted());
    expect(endpoints).toHaveLength(87);
  });

  it('reads every published parameter of what is served', () => {
    for (const { name, params } of endpoints) {
      const row = registry[name as keyof typeof registry];
      if (row.kind === 'absent') continue;
      // Names in brackets are no parameters.
      const unread = params
        .map((param) => param.name)
        .filter((parameter) => !parameter.startsWith('(') && !row.parameters.includes(parameter));
      expect({ name, unread }).toEqual({ name, unread: [] });
    }
  });

  it('asks of its callers what is published', () => {
    const deviations = new Set(['getOpenSubsonicExtensions']);
    for (const { name, requires } of endpoints.filter((endpoint) => !deviations.has(endpoint.name))) {
      const { access } = registry[name as keyof typeof registry];
      const asked = access === 'public' ? 'nothing' : (access.role ?? (access.level >= 75 ? 'admin' : null));
      expect({ name, asked }).toEqual({ name, asked: requires });
    }
  });

  it('sends bytes where bytes are published', () => {
    const served = endpoints.filter(({ name }) => registry[name as keyof typeof registry].kind !== 'absent');
    for (const { name, binary = false } of served)
      expect({ name, binary: registry[name as keyof typeof registry].kind === 'binary' }).toEqual({ name, binary });
  });
});

describe.skipIf(!isHere)('JSON against the published OpenAPI document', () => {
  const validators = (): ((operation: string) => ValidateFunction) => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    (addFormats as unknown as (target: Ajv) => void)(ajv);
    ajv.addSchema(openApi, 'published');
    return (answered) => {
      // What answers bytes has only refusals to be read, which are everywhere the same.
      const sendsBytes = endpoints.some(({ name, binary }) => binary === true && name.split('.')[0] === answered);
      const operation = sendsBytes ? 'ping' : answered;
      const path = at(openApi, ['paths', `/rest/${operation}`]) as Json;
      const response = at(path['get'] ?? path['post'], ['responses', '200']) as { $ref?: string };
      const inPlace = response.$ref ? at(openApi, response.$ref.split('/').slice(1)) : response;
      // A corrected schema stands in its place instead of pointing to one.
      const { $ref = `${response.$ref}/content/application~1json/schema` } = at(inPlace, ['content', 'application/json', 'schema']) as {
        $ref?: string;
      };
      const validate = ajv.getSchema(`published${$ref}`);
      if (!validate) throw new Error(`no schema of ${operation}`);
      return validate;
    };
  };
  const faults = (validate: ValidateFunction): string =>
    (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join('\n');

  it('rejects what is no answer', () => {
    const validate = validators()('getAlbum');
    expect(validate({})).toBe(false);
    expect(validate({ 'subsonic-response': { status: 'ok', version: '1.16.1' } })).toBe(false);
  });

  it('accepts every answer of the extended form', async () => {
    const validatorOf = validators();
    for (const { name, operation, text } of await goldens('opensubsonic', 'json')) {
      const validate = validatorOf(operation);
      const { 'subsonic-response': answer } = JSON.parse(text) as Record<string, Json>;
      expect({ name, valid: validate({ 'subsonic-response': answer }) || faults(validate) }).toEqual({ name, valid: true });
    }
  });

  it('accepts every answer of the legacy form once the fields of the extended envelope are added', async () => {
    const validatorOf = validators();
    for (const { name, operation, text } of await goldens('subsonic', 'json')) {
      // What plays is a number here, and a text in the document since its erratum (choices.md row 15).
      if (name === 'getPlayQueue.json') continue;
      const validate = validatorOf(operation);
      const { 'subsonic-response': answer } = JSON.parse(text) as Record<string, Json>;
      const whole = { 'subsonic-response': { ...answer, type: 'x', serverVersion: 'x', openSubsonic: true } };
      expect({ name, valid: validate(whole) || faults(validate) }).toEqual({ name, valid: true });
    }
  });
});

const faultsOf = (check: () => void): string[] => {
  try {
    check();
    return [];
  } catch (error) {
    return [String(error)];
  }
};

/** Payloads that are younger than the legacy schema, so that no answer with them can be valid. */
const YOUNGER = ['getOpenSubsonicExtensions', 'getLyricsBySongId', 'tokenInfo', 'getPlayQueueByIndex'];

describe.skipIf(!isHere)('XML of the legacy form against the published schema', () => {
  it('is valid', async () => {
    using schema = XmlDocument.fromString(xsd);
    using validator = XsdValidator.fromDoc(schema);
    for (const { name, operation, text } of await goldens('subsonic', 'xml')) {
      if (YOUNGER.includes(operation) && text.includes('status="ok"')) continue;
      // Nobody is asked who calls what does not exist, so that the form is the one for callers who are not known.
      if (name.startsWith('error-unknown-operation')) continue;
      using answer = XmlDocument.fromString(text);
      expect({ name, faults: faultsOf(() => validator.validate(answer)) }).toEqual({ name, faults: [] });
    }
  });

  it('is well-formed in the extended form too', async () => {
    for (const { name, text } of await goldens('opensubsonic', 'xml')) {
      expect({ name, faults: faultsOf(() => XmlDocument.fromString(text).dispose()) }).toEqual({ name, faults: [] });
    }
  });
});

/** Names of the attributes and elements of a type of the XSD, those of its base included; text content counts as `value`. */
const namesOfType = (type: string): Set<string> => {
  const body = new RegExp(`<xs:complexType name="${type}"( mixed="true")?>(.*?)\\n    </xs:complexType>`, 's').exec(xsd);
  if (!body) throw new Error(`the schema has no type ${type}`);
  const [, mixed, content = ''] = body;
  const names = [...content.matchAll(/<xs:(?:attribute|element) name="(\w+)"/g)].map(([, name = '']) => name);
  const base = /base="sub:(\w+)"/.exec(content)?.[1];
  return new Set([...names, ...(mixed ? ['value'] : []), ...(base ? namesOfType(base) : [])]);
};

interface SchemaPart {
  readonly $ref?: string;
  readonly properties?: object;
}

const namesOfSchema = (name: string): Set<string> => {
  const schema = at(openApi, ['components', 'schemas', name]) as SchemaPart & { readonly allOf?: readonly SchemaPart[] };
  const parts: readonly SchemaPart[] = schema.allOf ?? [schema];
  return new Set(
    parts.flatMap((part) => (part.$ref ? [...namesOfSchema(part.$ref.split('/').at(-1) ?? '')] : Object.keys(part.properties ?? {}))),
  );
};

describe.skipIf(!isHere)('object tables', () => {
  const tables: [table: ObjectTable<never, undefined>, xsdType: string, schema: string][] = [
    [songChild, 'Child', 'Child'],
    [albumChild, 'Child', 'Child'],
    [folderChild, 'Child', 'Child'],
    [albumId3, 'AlbumID3', 'AlbumID3'],
    [albumWithSongs, 'AlbumWithSongsID3', 'AlbumID3WithSongs'],
    [artistId3, 'ArtistID3', 'ArtistID3'],
    [artistWithAlbums, 'ArtistWithAlbumsID3', 'ArtistWithAlbumsID3'],
    [folderArtist, 'Artist', 'Artist'],
    [artists, 'ArtistsID3', 'ArtistsID3'],
    [indexes, 'Indexes', 'Indexes'],
    [directory, 'Directory', 'Directory'],
    [listsByTags, 'SearchResult3', 'SearchResult3'],
    [listsByTags, 'Starred2', 'Starred2'],
    [listsByFolders, 'SearchResult2', 'SearchResult2'],
    [listsByFolders, 'Starred', 'Starred'],
    [musicFolder, 'MusicFolder', 'MusicFolder'],
    [genre, 'Genre', 'Genre'],
    [scanStatus, 'ScanStatus', 'ScanStatus'],
    [license, 'License', 'License'],
    [chatMessage, 'ChatMessage', 'ChatMessage'],
    [user, 'User', 'User'],
    [playlistObject, 'Playlist', 'Playlist'],
    [playlistWithSongs, 'PlaylistWithSongs', 'PlaylistWithSongs'],
  ];

  it.each(tables)('%o has the fields of %s and %s, marked open where only the latter has them', (table, xsdType, schema) => {
    const old = namesOfType(xsdType);
    const young = namesOfSchema(schema);
    for (const { name, open } of table.rows) {
      expect({ name, known: old.has(name) || young.has(name), open }).toEqual({ name, known: true, open: !old.has(name) });
    }
  });
});
