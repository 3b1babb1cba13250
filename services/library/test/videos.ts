import {
  catalogAdded,
  catalogRemoved,
  folderDiscovered,
  scannedVideo,
  videosAdded,
  videosChanged,
  videosMovedIn,
  videosMovedOut,
  videosRemoved,
  type CatalogId,
  type DomainEvent,
  type FolderId,
  type GenreId,
  type RecordedEvent,
  type RecordedVideo,
  type ScannedVideo,
  type VideoId,
} from '@continuo/contracts';
import type { z } from 'zod';
import { dice } from './history.js';

/** A video as ingestion would send it, with plain defaults; `digest` follows from the content. */
export const video = (fileName: string, parts: Partial<z.input<typeof scannedVideo>> = {}): ScannedVideo => {
  const base = {
    fileName,
    sizeBytes: 5000,
    mtimeMs: 1_700_000_000_000,
    title: fileName.replace(/\.\w+$/, ''),
    durationMs: 60_000,
    format: 'mp4',
    mime: 'video/mp4',
    videoCodec: 'h264',
    widthPx: 640,
    heightPx: 480,
    bitrateBps: 800_000,
    ...parts,
  };
  return scannedVideo.parse({ ...base, digest: JSON.stringify(base) });
};

const places = (
  [
    [1, 1, null, ''],
    [2, 1, 1, 'a'],
    [3, 1, 2, 'a/b'],
    [4, 2, null, ''],
    [5, 2, 4, 'd'],
  ] as const
).map(([folderId, catalogId, parentId, path]) => ({
  folderId: folderId as FolderId,
  catalogId: catalogId as CatalogId,
  parentId: parentId as FolderId | null,
  path,
}));
type Place = (typeof places)[number];

const titles = ['plain', 'say "hi"', 'back\\slash\\', 'NULL', "it's; --", 'The 🎬 ünï', ''];
const genre = (n: number) => ({ id: (n + 1) as GenreId, name: `"Genre" ${n}` });

const catalog = (id: number, gatherTypes: 'music' | 'video') =>
  catalogAdded({
    catalogId: id as CatalogId,
    name: `${id}`,
    type: 'local',
    gatherTypes,
    path: `/films/${id}`,
    renamePattern: null,
    sortPattern: null,
  });

/** Events as the log gives them out. */
const recorded = (events: readonly DomainEvent[]): RecordedEvent[] =>
  events.map((event, index) => ({
    ...event,
    id: String(index),
    at: 1000 + index,
    actor: 'system',
    correlationId: 'c',
    causationId: 'c',
    stream: 'EV_LIBRARY',
    subject: 's',
    position: index + 1,
  }));

/** Random history of the videos of two catalogs, beside one of music. With every second seed the first catalog is removed half-way. */
export const videoHistory = (seed: number, length: number): RecordedEvent[] => {
  const roll = dice(seed);
  const events: DomainEvent[] = [catalog(1, 'video'), catalog(2, 'video'), catalog(3, 'music')];
  events.push(...places.map((place) => folderDiscovered({ ...place, name: place.path.slice(place.path.lastIndexOf('/') + 1) })));
  events.push(folderDiscovered({ folderId: 9 as FolderId, catalogId: 3 as CatalogId, parentId: null, path: '', name: '' }));
  const held = new Map<number, Place>();
  let usable = places;
  let next = 1;
  const content = ({ folderId, catalogId, path }: Place, ids: readonly number[]) => {
    const videos = ids.map((id): RecordedVideo => {
      const { genres: _genres, ...plain } = video(`${id}.mp4`, { title: titles[roll(titles.length)] ?? '', durationMs: 1000 * roll(90) });
      return { ...plain, videoId: id as VideoId, genreIds: [...new Set([roll(4), roll(4)])].slice(roll(2)).map((n) => genre(n).id) };
    });
    return { folderId, catalogId, path, videos, names: { genres: [0, 1, 2, 3].map(genre) } };
  };
  const gone = (id: number, { folderId, catalogId }: Place) => {
    held.delete(id);
    events.push(videosRemoved({ folderId, catalogId, videos: [{ videoId: id as VideoId, fileName: `${id}.mp4` }] }));
  };
  const add = (place: Place) => {
    const ids = Array.from({ length: 1 + roll(3) }, () => next++);
    events.push(videosAdded(content(place, ids)));
    for (const id of ids) held.set(id, place);
    if (roll(4) === 0) gone(ids[0] as number, place);
  };
  const move = (id: number, from: Place, to: Place) => {
    held.set(id, to);
    const origin = { videoId: id as VideoId, folderId: from.folderId, fileName: `${id}.mp4` };
    const { folderId, catalogId } = from;
    events.push(
      videosMovedIn({ ...content(to, [id]), from: [origin] }),
      videosMovedOut({ folderId, catalogId, videos: [origin], toFolderId: to.folderId }),
    );
  };
  const step = () => {
    const [id, place] = [...held][roll(Math.max(1, held.size))] ?? [];
    const choice = roll(10);
    if (id === undefined || place === undefined || choice < 4) return add(usable[roll(usable.length)] as Place);
    if (choice < 6) return void events.push(videosChanged(content(place, [id])));
    const target = usable.find((other) => other !== place && other.catalogId === place.catalogId);
    return choice < 8 && target ? move(id, place, target) : gone(id, place);
  };
  let removed = seed % 2 === 0;
  while (events.length < length) {
    step();
    if (removed || events.length < length / 2) continue;
    removed = true;
    usable = places.filter(({ catalogId }) => catalogId !== 1);
    for (const [id, place] of held) if (place.catalogId === 1) held.delete(id);
    events.push(catalogRemoved({ catalogId: 1 as CatalogId, path: '/films/1' }));
  }
  return recorded(events);
};
