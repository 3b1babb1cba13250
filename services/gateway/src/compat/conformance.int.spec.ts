import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { ObjectTable } from '../render/object-table.js';
import { CompatSchemas, publishedEndpoints, publishedOpenApi } from '../testkit/compat-schemas.js';
import { goldenPath } from '../testkit/golden.js';
import { hasSpecification, specificationFile } from '../testkit/specification.js';
import { albumId3, albumWithSongs } from './objects/album.object.js';
import { artistId3, artists, artistWithAlbums, folderArtist, indexes } from './objects/artist.object.js';
import { albumChild, folderChild, songChild } from './objects/child.object.js';
import { chatMessage } from './objects/chat-message.object.js';
import { directory } from './objects/directory.object.js';
import { genre, license, musicFolder, scanStatus, user } from './objects/small.object.js';
import { playlistObject, playlistWithSongs } from './objects/playlist.object.js';
import { listsByFolders, listsByTags } from './objects/search.object.js';
import { stationObject } from './objects/station.object.js';
import { operationNames } from './registry/names.js';
import { registry } from './registry/registry.js';

/*
 * What this surface answers against the published descriptions, which are not part of the repository: where their folder is missing, nothing of this file is
 * checked, and its one test says so. The answers are the golden files, which another suite compares with the running surface byte for byte.
 */
it.skipIf(hasSpecification)('is NOT checked: the published descriptions (../shared/spec/compat) are not here', () => undefined);

const endpoints = hasSpecification ? publishedEndpoints() : [];
const schemas = hasSpecification ? new CompatSchemas() : undefined;
const openApi = hasSpecification ? publishedOpenApi() : {};
const xsd = hasSpecification ? specificationFile('compat/subsonic-1.16.1.xsd') : '';

const at = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], root);

const goldens = async (form: string, format: string): Promise<{ name: string; operation: string; text: string }[]> => {
  const files = (await readdir(goldenPath(`compat/${form}`))).filter((file) => file.endsWith(`.${format}`));
  return Promise.all(
    files.map(async (file) => {
      const [operation = ''] = file.split(/[-.]/);
      return {
        name: file,
        operation: { error: 'getSong', hls: 'hls.m3u8' }[operation] ?? operation,
        text: await readFile(goldenPath(`compat/${form}/${file}`), 'utf8'),
      };
    }),
  );
};

describe.skipIf(!hasSpecification)('coverage', () => {
  it('has a row for every published operation and for no other', () => {
    expect(Object.keys(registry).toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted());
    expect([...operationNames].toSorted()).toEqual(Object.keys(registry).toSorted());
    expect(endpoints).toHaveLength(87);
  });

  it('reads every published parameter of what is served', () => {
    for (const { name, params } of endpoints) {
      const row = registry[name as keyof typeof registry];
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
    for (const { name, binary = false } of endpoints)
      expect({ name, binary: registry[name as keyof typeof registry].kind === 'binary' }).toEqual({ name, binary });
  });
});

describe.skipIf(!hasSpecification)('JSON against the published OpenAPI document', () => {
  it('rejects what is no answer, and what it does not name', () => {
    const ok = { status: 'ok', version: '1.16.1', type: 'x', serverVersion: 'x', openSubsonic: true };
    const faults = (answer: object): number => schemas?.jsonFaults('getLicense', JSON.stringify(answer)).length ?? 0;
    expect(faults({})).toBeGreaterThan(0);
    expect(faults({ 'subsonic-response': ok })).toBeGreaterThan(0);
    expect(faults({ 'subsonic-response': { ...ok, license: { valid: true } } })).toBe(0);
    expect(faults({ 'subsonic-response': { ...ok, license: { valid: true, misspelt: 1 } } })).toBeGreaterThan(0);
    expect(faults({ 'subsonic-response': { ...ok, license: { valid: true }, misspelt: 1 } })).toBeGreaterThan(0);
  });

  it('accepts every answer of the extended form, with nothing that it does not name', async () => {
    for (const { name, operation, text } of await goldens('opensubsonic', 'json'))
      expect({ name, faults: schemas?.jsonFaults(operation, text) }).toEqual({ name, faults: [] });
  });

  it('accepts every answer of the legacy form once the fields of the extended envelope are added', async () => {
    for (const { name, operation, text } of await goldens('subsonic', 'json')) {
      // What plays is a number here, and a text in the document since its erratum (choices.md row 15); accounts have the address that the XSD has.
      if (name === 'getPlayQueue.json' || name === 'getUser.json') continue;
      const { 'subsonic-response': answer } = JSON.parse(text) as Record<string, object>;
      const whole = { 'subsonic-response': { ...answer, type: 'x', serverVersion: 'x', openSubsonic: true } };
      expect({ name, faults: schemas?.jsonFaults(operation, JSON.stringify(whole)) }).toEqual({ name, faults: [] });
    }
  });
});

/** Payloads that are younger than the legacy schema, so that no answer with them can be valid. */
const YOUNGER = ['getOpenSubsonicExtensions', 'getPodcastEpisode', 'getLyricsBySongId', 'tokenInfo', 'getPlayQueueByIndex'];

describe.skipIf(!hasSpecification)('XML of the legacy form against the published schema', () => {
  it('is valid', async () => {
    for (const { name, operation, text } of await goldens('subsonic', 'xml')) {
      if (YOUNGER.includes(operation) && text.includes('status="ok"')) continue;
      // Nobody is asked who calls what does not exist, so that the form is the one for callers who are not known.
      if (name.startsWith('error-unknown-operation')) continue;
      expect({ name, faults: schemas?.legacyXmlFaults(text) }).toEqual({ name, faults: [] });
    }
  });

  it('is well-formed in the extended form too', async () => {
    for (const { name, text } of await goldens('opensubsonic', 'xml')) {
      expect({ name, faults: schemas?.xmlFaults(text) }).toEqual({ name, faults: [] });
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

describe.skipIf(!hasSpecification)('object tables', () => {
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
    [stationObject, 'InternetRadioStation', 'InternetRadioStation'],
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
