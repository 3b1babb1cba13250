import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { continuoProgram } from './program.js';

/** Reason why a command is no operation of the management API. */
const BESIDE = 'works on files or servers beside the data folder, or while the server is stopped';

/** Operations of the management API that do what a command does. */
const operationsOf: Readonly<Record<string, readonly string[] | typeof BESIDE>> = {
  'user add': ['createAccount'],
  'user key': ['issueKey'],
  'user keys': ['listKeys'],
  'user revoke-key': ['revokeKey'],
  'user give': ['changeAccount'],
  'user take': ['changeAccount'],
  'user password': ['changeAccount'],
  'user stream-token': ['changeAccount'],
  'user level': ['changeAccount'],
  'user disable': ['changeAccount'],
  'user enable': ['changeAccount'],
  'user delete': ['deleteAccount'],
  'user avatar': ['changeAccount'],
  'user list': ['listAccounts'],
  'user group': ['changeAccount'],
  'catalog add': ['createCatalog'],
  'catalog list': ['listCatalogs'],
  'catalog set': ['changeCatalog'],
  'catalog sort': ['moveCatalogFiles'],
  'catalog move': ['changeCatalog'],
  'catalog remove': ['listCatalogs', 'deleteCatalog'],
  'catalog group list': ['listCatalogGroups'],
  'catalog group add': ['createCatalogGroup'],
  'catalog group show': ['changeCatalogGroup'],
  'catalog group hide': ['changeCatalogGroup'],
  'catalog group rename': ['changeCatalogGroup'],
  'catalog group remove': ['deleteCatalogGroup'],
  scan: ['startScan', 'getScan', 'listSkippedFiles'],
  'scan cancel': ['listScans', 'cancelScan'],
  'genres list': ['listGenres'],
  'genres hide': ['listGenres', 'changeGenre'],
  'genres show': ['listGenres', 'changeGenre'],
  'genres merge': ['listGenres', 'changeGenre'],
  'genres unmerge': ['listGenres', 'changeGenre'],
  'playlist list': ['listPlaylists'],
  'playlist export': ['getPlaylist', 'listPlaylistMembers'],
  'playlist import': ['importPlaylist'],
  'playlist files': ['listPlaylistFiles'],
  'playlist missing': ['listPlaylistFiles'],
  'rating import': ['importRatings'],
  'song write-tags': ['writeSongTags'],
  'shout list': ['listShouts'],
  'shout add': ['createShout'],
  'shout remove': ['getShout', 'deleteShout'],
  'plugins list': ['listPlugins'],
  'plugins show': ['getPlugin'],
  'smartlist list': ['listSmartlists'],
  'smartlist show': ['getSmartlist'],
  'smartlist create': ['createSmartlist'],
  'smartlist delete': ['getSmartlist', 'deleteSmartlist'],
  'smartlist import': ['createSmartlist'],
  'access list': ['listAccessRules'],
  'access add': ['createAccessRule'],
  'access enable': ['changeAccessRule'],
  'access disable': ['changeAccessRule'],
  'access remove': ['deleteAccessRule'],
  'webhook add': ['createWebhook'],
  'webhook list': ['listWebhooks'],
  'webhook remove': ['deleteWebhook'],
  'webhook enable': ['changeWebhook'],
  'webhook disable': ['changeWebhook'],
  'webhook test': ['testWebhook'],
  'webhook deliveries': ['listWebhookDeliveries'],
  'webhook replay': ['redeliverWebhook'],
  'webhook events': ['listEventTypes'],
  'relay list': ['listRelayLinks'],
  'relay link': ['createRelayLink'],
  'relay unlink': ['deleteRelayLink'],
  'relay hurry': ['retryRelayLink'],
  'relay plays': ['listRelayedPlays'],
  'relay dead-letters': ['listRefusedPlays'],
  'relay replay': ['retryRefusedPlays'],
  'transcode make': ['startTranscodeBatch', 'getTranscodeBatch'],
  'transcode list': ['listTranscodeBatches'],
  'transcode show': ['getTranscodeBatch', 'listTranscodeFailures'],
  'transcode cancel': ['cancelTranscodeBatch'],
  'sonic status': ['getSonicAnalysis', 'listSonicRuns', 'listSonicFailures'],
  'sonic analyse': ['startSonicRun', 'getSonicRun'],
  'sonic cancel': ['cancelSonicRun'],
  'log verify': ['startLogVerification', 'getLogVerification'],
  'log accept-loss': BESIDE,
  'projections status': ['listProjections'],
  'projections rebuild': ['startProjectionRebuild', 'getProjectionRebuild'],
  'search status': ['listSearchIndexes'],
  'search rebuild': ['rebuildSearchIndex'],
  'dead-letters list': ['listDeadLetters'],
  'dead-letters replay': ['retryDeadLetters'],
  'dead-letters drop': ['deleteDeadLetter'],
  backup: ['startBackup', 'getBackup'],
  'backup verify': ['startBackupVerification', 'getBackupVerification'],
  'backup list': ['listBackups'],
  'backup delete': ['deleteBackup'],
  'backup deletions': BESIDE,
  restore: BESIDE,
  'art copy': BESIDE,
  prepare: BESIDE,
  'secrets status': BESIDE,
  'secrets rotate': BESIDE,
  'context add': BESIDE,
  'context list': BESIDE,
  'context use': BESIDE,
  'context remove': BESIDE,
  doctor: ['listChecks'],
};

/** Names of commands that do something themselves, below a command. */
const actingBelow = (parent: Command, path: readonly string[] = []): string[] =>
  parent.commands.flatMap((command) => {
    const name = [...path, command.name()];
    // Commander does not say otherwise whether a command has an action of its own.
    const { _actionHandler: action } = command as unknown as { readonly _actionHandler?: unknown };
    return [...(action ? [name.join(' ')] : []), ...actingBelow(command, name)];
  });

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

const described = JSON.parse(readFileSync(new URL('../../../contracts/openapi/manage.json', import.meta.url), 'utf8')) as Described;
const known = new Set(Object.values(described.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId)));

describe('every command', () => {
  it('is an operation of the management API, or says why it is none', () => {
    const program = continuoProgram({ terminal: {} as never, env: {}, fail: () => undefined });
    expect(Object.keys(operationsOf).toSorted()).toEqual(actingBelow(program).toSorted());
  });

  it('names operations that there are', () => {
    const named = Object.values(operationsOf).flatMap((one) => (typeof one === 'string' ? [] : one));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
