import * as contracts from '@continuo/contracts';
import {
  allPublicEventTypes,
  eventSubject,
  matchesPattern,
  publicEvent,
  publicEventPattern,
  type EventDefinition,
  type RecordedEvent,
} from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import {
  notifiedAggregates,
  publicEventIds,
  notificationsOf as notificationsNamed,
  notifiedContexts,
  notifiedEventNames,
} from './translate.js';

/** Events of which nobody outside is told, each for a reason. */
const untold: Readonly<Record<string, readonly string[]>> = {
  'secrets, or their bookkeeping': [
    'ApiKeyIssued',
    'ApiKeyRevoked',
    'CompatPasswordSet',
    'StreamTokenIssued',
    'UserPasswordSet',
    'EmailConfirmationRequested',
    'EmailConfirmed',
    'PasswordResetRequested',
  ],
  'names and addresses': [
    'UserNameReserved',
    'UserNameReleased',
    'UserEmailReserved',
    'UserEmailReleased',
    'UserProfileChanged',
    'UserAvatarSet',
  ],
  'how the server is run': [
    'AccessRuleAdded',
    'AccessRuleRemoved',
    'AccessRuleSwitched',
    'AdministratorNamed',
    'AdministratorDismissed',
    'CatalogGroupAdded',
    'CatalogGroupRenamed',
    'CatalogGroupFilled',
    'CatalogGroupRemoved',
    'CatalogGroupJoined',
    'UserBitrateLimited',
    'CatalogPathReserved',
    'CatalogPathReleased',
    'GenreHidden',
    'GenreShown',
    'GenreMerged',
    'GenreUnmerged',
  ],
  'nothing that a client shows': ['FolderDiscovered', 'FilesSkipped', 'SkippedFilesCleared', 'FolderSidecarsChanged', 'FolderVanished'],
  'what is written for a few': [
    'ChatMessageSent',
    'ShoutRemoved',
    'PreferenceDefined',
    'PreferenceRemoved',
    'PreferenceSet',
    'PreferenceSetForAll',
    'PreferencesForgotten',
    'PlayQueueForgotten',
  ],
  'what the audit trail alone tells': ['OperationPerformed'],
};

const notificationsOf = (event: RecordedEvent) => notificationsNamed(event, (place) => place);
const isDefinition = (value: unknown): value is EventDefinition => typeof value === 'function' && 'upcasters' in value;
const published = Object.values(contracts).filter((value): value is EventDefinition => isDefinition(value));

const recorded = (type: string, data: unknown, more: Partial<RecordedEvent> = {}): RecordedEvent => ({
  id: 'e',
  type,
  v: 1,
  data,
  at: Date.UTC(2026, 0, 2, 3, 4, 5),
  actor: 'user:7',
  correlationId: 'c',
  causationId: 'c',
  stream: 'EV_PLAYBACK',
  subject: eventSubject('playback', 'plays', 7),
  position: 42,
  ...more,
});

describe('what is told', () => {
  it('names no event that there is not, and leaves out what holds secrets', () => {
    const names = published.map(({ type }) => type);
    for (const told of notifiedEventNames) expect(names).toContain(told);
    for (const kept of Object.values(untold).flat()) expect([kept, notifiedEventNames.has(kept)]).toEqual([kept, false]);
  });

  it('covers every type by one log, but for the test of a webhook and for long work, which several services do', () => {
    for (const type of allPublicEventTypes) {
      const found = notifiedContexts.filter((context) => notifiedAggregates(context, [type]).length > 0);
      const many = type.startsWith('work.') ? found.length : 1;
      expect([type, found.length]).toEqual([type, type === 'webhook.tested' ? 0 : many]);
      expect(many).toBeGreaterThan(0);
    }
  });

  it('is the same shape for long work of every kind', () => {
    const events: [string, unknown][] = [
      ['OperatorWorkStarted', { kind: 'search-index-rebuild', workId: 'w-1', subject: 'postgres' }],
      ['OperatorWorkFailed', { kind: 'backup', workId: 'w-2', problem: 'secret' }],
      ['TranscodeBatchRequested', { batchId: 'b', title: 'secret', profile: {}, items: [{}, {}] }],
      ['TranscodeItemEnded', { batchId: 'b', index: 1, outcome: 'made', workerId: 'w', durationMs: 1, sizeBytes: 1 }],
      ['SonicPartEnded', { runId: 'r', part: 0, counts: { analysed: 1, reused: 0, known: 0, failed: 0 } }],
    ];
    const told = events.flatMap(([type, data]) => notificationsOf(recorded(type, data))).map(({ event }) => event);
    expect(told.map(({ type, object, data }) => [type, object, data])).toEqual([
      ['work.started', { type: 'search_index_rebuild', id: 'w-1' }, { subject: 'postgres' }],
      ['work.failed', { type: 'backup', id: 'w-2' }, {}],
      ['work.started', { type: 'transcode_batch', id: 'b' }, { items: 2 }],
      ['work.progressed', { type: 'transcode_batch', id: 'b' }, { index: 1, outcome: 'made' }],
      ['work.progressed', { type: 'sonic_run', id: 'r' }, { part: 0, counts: { analysed: 1, reused: 0, known: 0, failed: 0 } }],
    ]);
    for (const { actor } of told) expect(actor).toEqual({ type: 'user', id: '7' });
  });

  it('reads only the subjects that it needs', () => {
    expect(notifiedAggregates('social', ['rating.*', 'share.visited'])).toEqual(['annotations', 'share']);
    expect(notifiedAggregates('library', ['rating.*'])).toEqual([]);
    expect(notifiedAggregates('library', ['*'])).toEqual([
      'catalog',
      'folder',
      'video-folder',
      'playlist',
      'smartlist',
      'collection',
      'live-stream',
    ]);
  });
});

describe('a notification', () => {
  it('has an id that depends on its place in the log alone, and fits the published shape', () => {
    const [play, now] = notificationsOf(
      recorded('SongPlayed', { userId: 7, songId: 3, playedAtMs: 0, client: 'phone', playingUntilMs: 60_000 }),
    );
    expect(play).toEqual({
      event: {
        id: 'EV_PLAYBACK 42 0',
        type: 'play.recorded',
        version: 1,
        time: '2026-01-02T03:04:05.000Z',
        actor: { type: 'user', id: '7' },
        object: { type: 'song', id: '3' },
        data: { playedAt: '1970-01-01T00:00:00.000Z' },
      },
      audience: { owners: [7], others: { are: 'doings', userId: 7, unless: 'allow_personal_info_recent' }, about: { kind: 'song', id: 3 } },
    });
    expect(now?.event.id).toBe('EV_PLAYBACK 42 1');
    const ids = ['EV_PLAYBACK 42 0', 'EV_PLAYBACK 43 0'].map(publicEventIds('x'.repeat(32)));
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set([...ids, publicEventIds('y'.repeat(32))('EV_PLAYBACK 42 0')]).size).toBe(3);
    for (const notification of [play, now]) expect(publicEvent.parse(notification?.event)).toEqual(notification?.event);
  });

  it('holds no secret of a share, and of its visitor nothing', () => {
    const secrets = { secretSha256: 'digest-of-it', sealedSecret: 'v1.sealed', description: 'between us' };
    const made = { shareId: 5, userId: 7, kind: 'song', objectIds: [1, 2], expiresAtMs: null, maxVisits: 0, allowStream: true, ...secrets };
    const text = JSON.stringify(notificationsOf(recorded('ShareCreated', made)));
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
    const [visit] = notificationsOf(recorded('ShareVisited', { shareId: 5, visitedAtMs: 1 }, { actor: 'system' }));
    expect(visit?.event).toMatchObject({ actor: { type: 'visitor' }, data: {} });
  });

  it('holds no path, profile, client, message or text', () => {
    const cases: [string, unknown][] = [
      [
        'CatalogAdded',
        { catalogId: 1, name: 'Music', type: 'local', gatherTypes: 'music', path: '/secret', renamePattern: null, sortPattern: null },
      ],
      [
        'TracksAdded',
        { folderId: 1, catalogId: 1, path: 'secret', names: {}, tracks: [{ songId: 4, fileName: 'secret.mp3', title: 'secret' }] },
      ],
      ['ScanFailed', { scanId: 's', catalogId: 1, counts: {}, message: 'secret' }],
      [
        'ScanFinished',
        { scanId: 's', catalogId: 1, counts: {}, durationMs: 1, skipped: [{ path: 'secret', reason: 'empty', message: '' }] },
      ],
      ['UserRegistered', { userId: 9, sealedProfile: 'v1.secret', access: 25, fullNamePublic: false }],
      ['ShoutMade', { userId: 9, number: 1, kind: 'song', objectId: 1, sealedText: 'v1.secret' }],
      ['SongPlayed', { userId: 7, songId: 3, playedAtMs: 0, client: 'secret' }],
    ];
    for (const [type, data] of cases) {
      const told = notificationsOf(recorded(type, data));
      expect([type, told.length]).toEqual([type, 1]);
      expect(JSON.stringify(told)).not.toContain('secret');
    }
  });

  it('says nothing of events that it does not know', () => expect(notificationsOf(recorded('SomethingNew', {}))).toEqual([]));
});

describe('patterns', () => {
  it('name a type, a family or everything', () => {
    expect(matchesPattern(['play.*'], 'play.recorded')).toBe(true);
    expect(matchesPattern(['play.*'], 'playback.started')).toBe(false);
    expect(matchesPattern(['*'], 'scan.failed')).toBe(true);
    expect(matchesPattern(['share.made'], 'share.visited')).toBe(false);
    for (const good of ['*', 'play.*', 'rating.set']) expect(publicEventPattern.safeParse(good).success).toBe(true);
    for (const bad of ['', 'play', 'pl*', 'nothing.*', 'rating.set.*']) expect(publicEventPattern.safeParse(bad).success).toBe(false);
  });
});
