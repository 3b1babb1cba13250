import type { Migration } from '@continuo/chassis';

const firstKinds = ['catalog', 'folder', 'song', 'album', 'artist', 'genre', 'mood'] as const;
const laterKinds = ['label', 'license'] as const;
const videoKinds = ['video'] as const;
const podcastKinds = ['podcast', 'podcast_episode'] as const;
/** Kinds of things that get small public ids. */
export const identityKinds = [...firstKinds, ...laterKinds, ...videoKinds, ...podcastKinds] as const;
export type IdentityKind = (typeof identityKinds)[number];

/** Sequence from which ids of a kind are taken. */
export const sequenceOf = (kind: IdentityKind): string => `${kind}_id`;

/**
 * The registry of natural keys. It is written when a thing is first seen, before the event that records its id; the log can restore it.
 */
export const identityMigrations: readonly Migration[] = [
  {
    name: '2026-11-20-identities',
    statements: [
      'create extension if not exists pg_trgm with schema public',
      'create table identity (kind text not null, key text not null, id bigint not null, name text not null, mbid text, primary key (kind, key))',
      'create index identity_by_id on identity (kind, id)',
      ...firstKinds.map((kind) => `create sequence ${sequenceOf(kind)} as bigint`),
    ],
  },
  {
    name: '2026-11-21-labels-and-licenses',
    statements: laterKinds.map((kind) => `create sequence ${sequenceOf(kind)} as bigint`),
  },
  {
    name: '2026-11-21-videos',
    statements: videoKinds.map((kind) => `create sequence ${sequenceOf(kind)} as bigint`),
  },
  {
    name: '2026-11-21-podcasts',
    statements: podcastKinds.map((kind) => `create sequence ${sequenceOf(kind)} as bigint`),
  },
  {
    name: '2026-11-26-history-of-identities',
    statements: ['create table identity_history (timeline text not null)'],
  },
];
