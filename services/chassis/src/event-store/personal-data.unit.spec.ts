import { readFileSync } from 'node:fs';
import type { EventDefinition } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { publishedEvents } from './catalogue.js';

/*
 * Names and texts of people are unreadable once their key is destroyed. So no event may hold a text of theirs in the clear: each text of each event is
 * sealed, a digest, or listed here with what it is. A new text fails this spec until somebody has said so; docs/security.md lists the types that hold something of people.
 */

/**
 * Kinds of texts in the clear: set by operators; words of ours or of programs; empty since the original is sealed; what people make beside their accounts, call
 * their own things, and set. The last three are people's, and stay; docs/security.md says why.
 */
type Kind = 'operator' | 'word' | 'emptied' | 'content' | 'label' | 'setting';

/** Whole types that tell of files, of feeds that operators subscribe to, or of what operators do; by the beginning of their names. */
const OF_FILES = /^(?:Folder|Tracks|Videos|Files|SkippedFiles|PlaylistFile|Genre|Catalog|Scan|ArtistInfo|ArtistArt|AlbumArt|Podcast|Sonic)/;

const OPEN: Readonly<Record<string, Kind>> = {
  'AccessRuleAdded.name': 'operator',
  'AccessRuleAdded.startAddress': 'operator',
  'AccessRuleAdded.endAddress': 'operator',
  'ApiKeyIssued.name': 'label',
  'ApiKeyIssued.scopes': 'word',
  'ApiKeyRenamed.name': 'label',
  'CollectionChanged.name': 'content',
  'CollectionCreated.name': 'content',
  'DemocraticTurnTaken.client': 'word',
  'ExternalIdentityLinked.issuer': 'operator',
  'LiveStreamChanged.codec': 'word',
  'LiveStreamChanged.name': 'operator',
  'LiveStreamChanged.siteUrl': 'operator',
  'LiveStreamChanged.url': 'operator',
  'LiveStreamCreated.codec': 'word',
  'LiveStreamCreated.name': 'operator',
  'LiveStreamCreated.siteUrl': 'operator',
  'LiveStreamCreated.url': 'operator',
  'MediaDownloaded.client': 'word',
  'MediaPlayed.client': 'word',
  'PlayQueueMoved.client': 'word',
  'PlayQueueMoved.context': 'setting',
  'PlayQueueSaved.client': 'word',
  'PlayQueueSaved.context': 'setting',
  'PlaybackStarted.client': 'word',
  'PlaybackStopped.client': 'word',
  'PlaylistChanged.comment': 'content',
  'PlaylistChanged.name': 'content',
  'PlaylistCreated.comment': 'content',
  'PlaylistCreated.name': 'content',
  'PlaylistFolderChanged.name': 'content',
  'PlaylistFolderCreated.name': 'content',
  'PreferenceDefined.default': 'operator',
  'PreferenceDefined.description': 'operator',
  'PreferenceDefined.name': 'operator',
  'PreferenceDefined.subcategory': 'operator',
  'OperationPerformed.operation': 'word',
  'OperationPerformed.target': 'word',
  'OperatorWorkFailed.problem': 'operator',
  'OperatorWorkFailed.workId': 'word',
  'OperatorWorkFinished.workId': 'word',
  'OperatorWorkStarted.subject': 'word',
  'OperatorWorkStarted.workId': 'word',
  'PreferenceSet.value': 'setting',
  'PreferenceSetForAll.value': 'operator',
  'RelayLinked.host': 'label',
  'ShareChanged.description': 'emptied',
  'ShareCreated.description': 'emptied',
  'SmartlistChanged.name': 'content',
  'SmartlistChanged.rules': 'content',
  'SmartlistCreated.name': 'content',
  'SmartlistCreated.rules': 'content',
  'SongPlayed.client': 'word',
  'SongSkipped.client': 'word',
  'TranscodeBatchCancelled.batchId': 'word',
  'TranscodeBatchFinished.batchId': 'word',
  'TranscodeBatchRequested.batchId': 'word',
  'TranscodeBatchRequested.title': 'operator',
  'TranscodeItemEnded.batchId': 'word',
  'TranscodeItemEnded.reason': 'word',
  'TranscodeItemEnded.workerId': 'word',
  'WebhookAdded.after': 'word',
  'WebhookAdded.host': 'label',
  'WebhookAdded.name': 'label',
  'WebhookAdded.patterns': 'word',
  'WebhookEnabled.after': 'word',
};

interface Schema {
  readonly def: Node;
}

interface Node {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly valueType?: Schema;
  readonly keyType?: Schema;
  readonly options?: readonly Schema[];
  readonly items?: readonly Schema[];
  readonly left?: Schema;
  readonly right?: Schema;
  readonly in?: Schema;
  readonly getter?: () => Schema;
}

const LEAVES_WITHOUT_TEXT: ReadonlySet<string> = new Set(['number', 'int', 'boolean', 'enum', 'literal', 'null', 'undefined', 'date']);

/** Paths of everything in a schema that can hold a text of somebody's choice. */
const textPaths = (def: Node, path: string, depth = 0): string[] => {
  if (LEAVES_WITHOUT_TEXT.has(def.type) || depth > 12) return [];
  if (def.shape) return Object.entries(def.shape).flatMap(([name, { def: inner }]) => textPaths(inner, `${path}.${name}`, depth + 1));
  const inner = [
    def.element,
    def.innerType,
    def.valueType,
    def.keyType,
    def.left,
    def.right,
    def.in,
    def.getter?.(),
    ...(def.options ?? []),
    ...(def.items ?? []),
  ];
  const known = inner.flatMap((one) => (one ? [one.def] : []));
  // Whatever is neither a container nor a leaf without text may hold anything.
  return known.length === 0 ? [path] : [...new Set(known.flatMap((one) => textPaths(one, path, depth + 1)))];
};

const defOf = ({ schema }: EventDefinition): Node => (schema as unknown as Schema).def;
const isShut = (path: string): boolean => /\.sealed\w*$|\.\w*(?:Digest|Sha256|Hash)$|\.sha256$|\.keyId$/.test(path);

const open = publishedEvents()
  .filter(({ type }) => !OF_FILES.test(type))
  .flatMap((definition) => textPaths(defOf(definition), definition.type))
  .filter((path) => !isShut(path));

describe('texts of events', () => {
  it('are sealed, digests, or said to be nobody’s', () => {
    expect(open.filter((path) => OPEN[path] === undefined)).toEqual([]);
    expect(Object.keys(OPEN).filter((path) => !open.includes(path))).toEqual([]);
  });

  it('of people are in the page about security', () => {
    const page = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');
    const types = publishedEvents().flatMap((definition) =>
      textPaths(defOf(definition), definition.type).some((path) => /\.sealed/.test(path)) ? [definition.type] : [],
    );
    const left = Object.entries(OPEN).flatMap(([path, kind]) =>
      ['content', 'label', 'setting'].includes(kind) ? [path.split('.')[0] ?? ''] : [],
    );
    expect([...new Set([...types, ...left])].filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
  });

  it('are found wherever they stand in a schema', () => {
    const definition = publishedEvents().find(({ type }) => type === 'TracksAdded');
    const paths = definition ? textPaths(defOf(definition), 'T') : [];
    expect(paths).toContain('T.path');
    expect(paths.some((path) => path.startsWith('T.tracks.'))).toBe(true);
  });
});
