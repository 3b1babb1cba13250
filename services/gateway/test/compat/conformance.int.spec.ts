import { describe, expect, it } from 'vitest';
import type { ObjectTable } from '../../src/render/object-table.js';
import { keysOf, type ShapeTypes } from '../api-facts/answer-shapes.js';
import { compatEndpoints } from '../api-facts/api-facts.js';
import { CompatSchemas, extendedTypes, legacyTypes } from '../api-facts/compat-schemas.js';
import { goldenTexts } from '../goldens/golden.js';
import type { GoldenFormat } from '../goldens/golden-text.js';
import { albumId3, albumWithSongs } from '../../src/apis/compat/objects/album.object.js';
import { artistId3, artists, artistWithAlbums, folderArtist, indexes } from '../../src/apis/compat/objects/artist.object.js';
import { albumChild, folderChild, songChild } from '../../src/apis/compat/objects/child.object.js';
import { chatMessage } from '../../src/apis/compat/objects/chat-message.object.js';
import { directory } from '../../src/apis/compat/objects/directory.object.js';
import { genre, license, musicFolder, scanStatus, user } from '../../src/apis/compat/objects/small.object.js';
import { playlistObject, playlistWithSongs } from '../../src/apis/compat/objects/playlist.object.js';
import { listsByFolders, listsByTags } from '../../src/apis/compat/objects/search.object.js';
import { stationObject } from '../../src/apis/compat/objects/station.object.js';
import { operationNames } from '../../src/apis/compat/registry/names.js';
import { registry } from '../../src/apis/compat/registry/registry.js';

// Answers, which are the golden files, against the types of contracts/api; another suite compares them with the running gateway byte for byte.
const schemas = new CompatSchemas();

const goldens = (variant: string, format: GoldenFormat): { name: string; operation: string; text: string }[] =>
  goldenTexts('compat', format, variant).map(({ name, text }) => {
    const [operation = ''] = name.split('-');
    return { name, operation: { error: 'getSong', hls: 'hls.m3u8' }[operation] ?? operation, text };
  });

describe('coverage', () => {
  it('has a row for every documented operation and for no other', () => {
    expect(Object.keys(registry).toSorted()).toEqual(compatEndpoints.map(({ name }) => name).toSorted());
    expect([...operationNames].toSorted()).toEqual(Object.keys(registry).toSorted());
    expect(compatEndpoints).toHaveLength(87);
  });

  it('reads every documented parameter of what is served', () => {
    for (const { name, parameters = [] } of compatEndpoints) {
      const row = registry[name as keyof typeof registry];
      const unread = parameters.filter((parameter) => !(parameter in row.fields));
      expect({ name, unread }).toEqual({ name, unread: [] });
    }
  });

  it('asks of its callers what is documented', () => {
    const deviations = new Set(['getOpenSubsonicExtensions']);
    for (const { name, role = null } of compatEndpoints.filter((endpoint) => !deviations.has(endpoint.name))) {
      const { access } = registry[name as keyof typeof registry];
      const asked = access === 'public' ? 'nothing' : (access.role ?? (access.level >= 75 ? 'admin' : null));
      expect({ name, asked }).toEqual({ name, asked: role });
    }
  });

  it('sends bytes where bytes are documented', () => {
    for (const { name, binary = false } of compatEndpoints)
      expect({ name, binary: registry[name as keyof typeof registry].kind === 'binary' }).toEqual({ name, binary });
  });
});

describe('JSON against the documented OpenAPI document', () => {
  it('rejects what is no answer, and what it does not name', () => {
    const ok = { status: 'ok', version: '1.16.1', type: 'x', serverVersion: 'x', openSubsonic: true };
    const faults = (answer: object): number => schemas.jsonFaults('getLicense', JSON.stringify(answer)).length;
    expect(faults({})).toBeGreaterThan(0);
    expect(faults({ 'subsonic-response': ok })).toBeGreaterThan(0);
    expect(faults({ 'subsonic-response': { ...ok, license: { valid: true } } })).toBe(0);
    expect(faults({ 'subsonic-response': { ...ok, license: { valid: true, misspelt: 1 } } })).toBeGreaterThan(0);
    expect(faults({ 'subsonic-response': { ...ok, license: { valid: true }, misspelt: 1 } })).toBeGreaterThan(0);
  });

  it('accepts every answer of the extended form, with nothing that it does not name', async () => {
    for (const { name, operation, text } of goldens('opensubsonic', 'json'))
      expect({ name, faults: schemas.jsonFaults(operation, text) }).toEqual({ name, faults: [] });
  });

  it('accepts every answer of the legacy form once the fields of the extended envelope are added', async () => {
    for (const { name, operation, text } of goldens('subsonic', 'json')) {
      // What plays is a number here, and a text in the document since its erratum.
      if (name === 'getPlayQueue') continue;
      const { 'subsonic-response': answer } = JSON.parse(text) as Record<string, object>;
      const whole = { 'subsonic-response': { ...answer, type: 'x', serverVersion: 'x', openSubsonic: true } };
      expect({ name, faults: schemas.jsonFaults(operation, JSON.stringify(whole)) }).toEqual({ name, faults: [] });
    }
  });
});

/** Payloads that are younger than the legacy schema, so that no answer with them can be valid. */
const YOUNGER = ['getOpenSubsonicExtensions', 'getPodcastEpisode', 'getLyricsBySongId', 'tokenInfo', 'getPlayQueueByIndex'];

describe('XML of the legacy form against the documented schema', () => {
  it('is valid', async () => {
    for (const { name, operation, text } of goldens('subsonic', 'xml')) {
      if (YOUNGER.includes(operation) && text.includes('status="ok"')) continue;
      // Nobody is asked who calls what does not exist, so that the form is the one for callers who are not known.
      if (name.startsWith('error-unknown-operation')) continue;
      expect({ name, faults: schemas.legacyXmlFaults(text) }).toEqual({ name, faults: [] });
    }
  });

  it('is well-formed in the extended form too', async () => {
    for (const { name, text } of goldens('opensubsonic', 'xml')) {
      expect({ name, faults: schemas.xmlFaults(text) }).toEqual({ name, faults: [] });
    }
  });
});

/** Names of attributes, elements and keys of a type; text content counts as `value`. */
const namesOf = (types: ShapeTypes, type: string): Set<string> => {
  if (!(type in types)) throw new Error(`there is no type ${type}`);
  return new Set(Object.keys(keysOf(types[type], types)).map((key) => (key === 'text' ? 'value' : key.replaceAll(/[@?*+]/g, ''))));
};

describe('object tables', () => {
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
    const old = namesOf(legacyTypes, xsdType);
    const young = namesOf(extendedTypes, schema);
    for (const { name, open } of table.rows) {
      expect({ name, known: old.has(name) || young.has(name), open }).toEqual({ name, known: true, open: !old.has(name) });
    }
  });
});
