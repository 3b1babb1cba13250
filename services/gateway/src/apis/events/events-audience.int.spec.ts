import { setTimeout as delay } from 'node:timers/promises';
import { type AppendPart } from '@continuo/chassis';
import { allPublicEventTypes, eventStreams, type DomainEvent, type PublicEvent } from '@continuo/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { publicEventIds } from '@continuo/public-events';
import type { TestGateway } from '../../../test/servers/test-gateway.js';
import { event, EventsWorld, everybody, objectsOf, people, type Person, SECRET, WAIT } from '../../../test/events/events-world.fixture.js';

let world: EventsWorld;

beforeAll(async () => {
  world = await EventsWorld.start();
});
afterEach(() => world.quiet());
afterAll(() => world.stop());

const terms = { name: 'list', comment: '', isPublic: false, collaboratorIds: [people.half.id] };
const share = { kind: 'song', objectIds: [1], description: 'secret', secretSha256: 'secret', sealedSecret: 'v1.secret', expiresAtMs: null };
const bookmark = {
  userId: 2,
  objectType: 'song',
  isApart: true,
  labelDigest: 'secret',
  sealedLabel: 'v1.secret',
  positionMs: 5,
  createdAtMs: 1,
  changedAtMs: 1,
};
const counts = { foldersSeen: 1, filesSeen: 1, songsAdded: 1, songsChanged: 0, songsMoved: 0, songsRemoved: 0, filesSkipped: 0 };
const all = everybody;
const seesTwo = all.filter((who) => people[who].catalogs === 'all');
const seesOne = all.filter((who) => who !== 'nothing');

/** Recipients by event: each row has one event of the log, its recipients, and the type that they get. */
const matrix: readonly [
  what: string,
  [AppendPart['context'], string, number, DomainEvent],
  told: Partial<Record<PublicEvent['type'], readonly Person[]>>,
][] = [
  [
    'a play',
    ['playback', 'plays', 2, event('SongPlayed', { userId: 2, songId: 1, playedAtMs: 1, client: 'c' })],
    { 'play.recorded': seesOne },
  ],
  [
    'a play of a hidden song',
    ['playback', 'plays', 2, event('SongPlayed', { userId: 2, songId: 2, playedAtMs: 2, client: 'c' })],
    { 'play.recorded': seesTwo },
  ],
  [
    'a play by somebody private',
    ['playback', 'plays', 4, event('SongPlayed', { userId: 4, songId: 1, playedAtMs: 1, client: 'c' })],
    { 'play.recorded': ['shy'] },
  ],
  [
    'one’s own play of a song that is hidden from one',
    ['playback', 'plays', 3, event('SongPlayed', { userId: 3, songId: 2, playedAtMs: 1, client: 'c' })],
    { 'play.recorded': seesTwo },
  ],
  [
    'a skip',
    ['playback', 'plays', 2, event('SongSkipped', { userId: 2, songId: 1, playedAtMs: 1, client: 'c', skippedAtMs: 2 })],
    { 'play.skipped': ['ada'] },
  ],
  [
    'a bookmark',
    ['playback', 'bookmark', 71, event('BookmarkPlaced', { ...bookmark, bookmarkId: 71, objectId: 1 })],
    { 'bookmark.set': ['ada'] },
  ],
  [
    'a bookmark that goes',
    ['playback', 'bookmark', 72, event('BookmarkRemoved', { bookmarkId: 72, userId: 2, objectType: 'song', objectId: 1 })],
    { 'bookmark.removed': ['ada'] },
  ],
  [
    'one’s own bookmark in a song that is hidden from one',
    ['playback', 'bookmark', 73, event('BookmarkPlaced', { ...bookmark, bookmarkId: 73, userId: 3, objectId: 2 })],
    {},
  ],
  [
    'a play queue',
    ['playback', 'play-queue', 2, event('PlayQueueMoved', { userId: 2, currentIndex: 1, positionMs: 5, client: 'secret', savedAtMs: 1 })],
    { 'queue.changed': ['ada'] },
  ],
  [
    'what somebody private plays now',
    [
      'playback',
      'plays',
      4,
      event('PlaybackStarted', { userId: 4, client: 'c', objectType: 'song', objectId: 1, startedAtMs: 1, playingUntilMs: 2 }),
    ],
    { 'playback.started': ['shy'] },
  ],
  [
    'what somebody plays now',
    [
      'playback',
      'plays',
      2,
      event('PlaybackStarted', { userId: 2, client: 'c', objectType: 'song', objectId: 1, startedAtMs: 1, playingUntilMs: 2 }),
    ],
    { 'playback.started': seesOne },
  ],
  [
    'a rating',
    ['social', 'annotations', 2, event('ObjectRated', { userId: 2, kind: 'album', objectId: 1, rating: 5 })],
    { 'rating.set': seesOne },
  ],
  [
    'a rating of something hidden',
    ['social', 'annotations', 2, event('ObjectRated', { userId: 2, kind: 'album', objectId: 2, rating: 5 })],
    { 'rating.set': seesTwo },
  ],
  [
    'a favourite artist of a hidden catalog',
    ['social', 'annotations', 2, event('ObjectFlagged', { userId: 2, kind: 'artist', objectId: 2, flaggedAtMs: 1 })],
    { 'favourite.added': seesTwo },
  ],
  [
    'a favourite of somebody private',
    ['social', 'annotations', 4, event('ObjectFlagged', { userId: 4, kind: 'song', objectId: 1, flaggedAtMs: 1 })],
    { 'favourite.added': ['shy'] },
  ],
  ['a private follower', ['social', 'follows', 4, event('UserFollowed', { userId: 4, followedId: 2 })], { 'follow.added': ['ada', 'shy'] }],
  [
    'a shout about something hidden',
    ['identity', 'shouts', 4, event('ShoutMade', { userId: 4, number: 1, kind: 'song', objectId: 2, sealedText: 'v1.secret' })],
    { 'shout.made': seesTwo },
  ],
  [
    'a share',
    [
      'social',
      'share',
      1,
      event('ShareCreated', { shareId: 1, userId: 2, allowStream: true, allowDownload: false, maxVisits: 0, createdAtMs: 1, ...share }),
    ],
    { 'share.made': ['admin', 'ada'] },
  ],
  [
    'a visit to a share',
    ['social', 'share', 1, event('ShareVisited', { shareId: 1, visitedAtMs: 1 })],
    { 'share.visited': ['admin', 'ada'] },
  ],
  ['the end of a share', ['social', 'share', 1, event('ShareDeleted', { shareId: 1 })], { 'share.deleted': ['admin', 'ada'] }],
  [
    'a private list with a collaborator',
    ['library', 'playlist', 1, event('PlaylistCreated', { playlistId: 1, ownerId: 2, ...terms })],
    { 'playlist.made': ['admin', 'ada', 'half'] },
  ],
  [
    'what is in a private list',
    ['library', 'playlist', 1, event('PlaylistMembersAdded', { playlistId: 1, kind: 'song', firstEntry: 1, objectIds: [2] })],
    { 'playlist.members_changed': ['admin', 'ada', 'half'] },
  ],
  [
    'a list that becomes public',
    ['library', 'playlist', 1, event('PlaylistChanged', { playlistId: 1, isPublic: true })],
    { 'playlist.changed': all },
  ],
  ['the end of a public list', ['library', 'playlist', 1, event('PlaylistDeleted', { playlistId: 1 })], { 'playlist.deleted': all }],
  [
    'a private smartlist',
    ['library', 'smartlist', 1, event('SmartlistCreated', { smartlistId: 1, ownerId: 2, ...terms })],
    { 'smartlist.made': ['admin', 'ada', 'half'] },
  ],
  [
    'a rating of a private smartlist',
    ['social', 'annotations', 2, event('ObjectRated', { userId: 2, kind: 'search', objectId: 1, rating: 5 })],
    { 'rating.set': ['admin', 'ada', 'half'] },
  ],
  [
    'a public collection',
    ['library', 'collection', 1, event('CollectionCreated', { collectionId: 1, ownerId: 2, ...terms, isPublic: true })],
    { 'collection.made': all },
  ],
  [
    'what is in it',
    ['library', 'collection', 1, event('CollectionMemberAdded', { collectionId: 1, entry: 1, kind: 'song', objectId: 2 })],
    { 'collection.members_changed': all },
  ],
  [
    'songs',
    ['library', 'folder', 1, event('TracksRemoved', { folderId: 1, catalogId: 1, songs: [{ songId: 9, fileName: 'secret' }] })],
    { 'library.songs_removed': seesOne },
  ],
  [
    'songs of a hidden catalog',
    ['library', 'folder', 2, event('TracksRemoved', { folderId: 2, catalogId: 2, songs: [{ songId: 8, fileName: 'secret' }] })],
    { 'library.songs_removed': seesTwo },
  ],
  ['a catalog', ['library', 'catalog', 2, event('CatalogRemoved', { catalogId: 2, path: '/secret' })], { 'catalog.removed': seesTwo }],
  [
    'a scan',
    ['ingest', 'scan', 1, event('ScanProgressed', { scanId: 's', catalogId: 1, counts })],
    { 'scan.progressed': ['admin', 'manager', 'halfmanager'] },
  ],
  [
    'a scan of a hidden catalog',
    ['ingest', 'scan', 2, event('ScanFailed', { scanId: 't', catalogId: 2, counts, message: 'secret' })],
    { 'scan.failed': ['admin', 'manager'] },
  ],
  [
    'a backup that starts',
    ['social', 'operation', 1, event('OperatorWorkStarted', { kind: 'backup', workId: 'b-1', subject: 'b-1' })],
    { 'work.started': ['admin'] },
  ],
  [
    'a rebuild that fails',
    ['social', 'operation', 2, event('OperatorWorkFailed', { kind: 'projection-rebuild', workId: 'p-1', problem: 'secret' })],
    { 'work.failed': ['admin'] },
  ],
  [
    'what leaves no other event',
    ['social', 'operation', 3, event('OperationPerformed', { operation: 'deleteDeadLetter', target: '7' })],
    {},
  ],
  [
    'a batch that is cancelled',
    ['transcode', 'batch', 1, event('TranscodeBatchCancelled', { batchId: 'a' })],
    { 'work.cancelled': ['admin'] },
  ],
  ['a run that ends', ['sonic', 'run', 1, event('SonicRunFinished', { runId: 'a' })], { 'work.finished': ['admin'] }],
  [
    'an account',
    ['identity', 'user', 9, event('UserRegistered', { userId: 9, sealedProfile: 'v1.secret', access: 25, fullNamePublic: false })],
    { 'user.made': ['admin'] },
  ],
  ['an account that is disabled', ['identity', 'user', 9, event('UserDisabled', { userId: 9 })], { 'user.disabled': ['admin'] }],
  [
    'a key',
    [
      'identity',
      'user',
      9,
      event('ApiKeyIssued', { userId: 9, keyId: 'k', name: 'secret', sha256: 'secret', sealedKey: 'v1.secret', issuedAtMs: 1 }),
    ],
    {},
  ],
  ['a message of the chat', ['identity', 'chat', 1, event('ChatMessageSent', { userId: 2, sealedText: 'v1.secret' })], {}],
];

describe('who is told of what', () => {
  it('is what they may see, on every gateway', async () => {
    const both = [await world.startGateway(), await world.startGateway()];
    const clients = new Map(
      await Promise.all(everybody.map(async (who, index) => [who, await world.listen(both[index % 2] as TestGateway, who)] as const)),
    );
    for (const [, [context, aggregate, id, one]] of matrix) await world.append(context, aggregate, id, one);
    // Whatever is to come has come when the last of each log has.
    await world.follow(2, 90);
    await Promise.all([...clients.values()].map((client) => vi.waitFor(() => expect(client.lastEventId).not.toBe(''), WAIT)));
    await vi.waitFor(() => expect(clients.get('ada')?.events.some(({ object }) => object.id === '90')).toBe(true), WAIT);
    await delay(300);
    const heard = (type: PublicEvent['type'], nth: number): Person[] =>
      everybody.filter((who) => clients.get(who)?.events.some((one) => one.type === type && one.id === ids[nth]));
    const ids = await idsOf();
    for (const [index, [what, , told]] of matrix.entries()) {
      const wanted = Object.entries(told).map(([type, who]) => [type, who.toSorted((a, b) => all.indexOf(a) - all.indexOf(b))]);
      const got = allPublicEventTypes.map((type) => [type, heard(type, index)] as const).filter(([, who]) => who.length > 0);
      expect([what, got]).toEqual([what, wanted]);
    }
    for (const client of clients.values()) expect(JSON.stringify(client.heard)).not.toContain('secret');
  });

  /** Public ids of the events of the table, found again in the logs by their places. */
  const idsOf = async (): Promise<string[]> => {
    const seen = new Map<string, number>();
    return Promise.all(
      matrix.map(async ([, [context, aggregate, id]]) => {
        const key = `${context} ${aggregate} ${id}`;
        const nth = seen.get(key) ?? 0;
        seen.set(key, nth + 1);
        const recorded = await world.store.read(context, aggregate, id);
        return publicEventIds(SECRET)(`${eventStreams[context]} ${recorded[nth]?.position} 0`);
      }),
    );
  };

  it('resolves recipients with the present accounts and groups', async () => {
    const gateway = await world.startGateway();
    const ada = await world.listen(gateway, 'ada', '?types=rating.set');
    const admin = await world.listen(gateway, 'admin', '?types=rating.set');
    await world.rated(2, 2);
    await vi.waitFor(() => expect(objectsOf(ada)).toEqual(['song 2']), WAIT);
    world.standing.changed.set(2, { catalogs: [1] });
    await world.rated(2, 2);
    await world.rated(2, 1);
    await vi.waitFor(() => expect(objectsOf(ada)).toEqual(['song 2', 'song 1']), WAIT);
    world.standing.changed.set(2, { disabled: true });
    await world.rated(1, 1);
    await vi.waitFor(() => expect(admin.events).toHaveLength(4), WAIT);
    world.standing.changed.clear();
    await world.rated(1, 1, 4);
    await vi.waitFor(() => expect(ada.events.at(-1)?.data).toEqual({ rating: 4 }), WAIT);
    expect(ada.events).toHaveLength(3);
  });
});
