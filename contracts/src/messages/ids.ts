import { z } from 'zod';

/**
 * Public ids are small positive integers per kind, allotted once and recorded in the event that first names the thing,
 * so that a rebuild gives the same ids. The brand keeps a song's id from being used as an album's.
 */
const id = z.int().positive();

export const catalogId = id.brand<'CatalogId'>();
export const folderId = id.brand<'FolderId'>();
export const songId = id.brand<'SongId'>();
export const albumId = id.brand<'AlbumId'>();
export const artistId = id.brand<'ArtistId'>();
export const genreId = id.brand<'GenreId'>();
export const moodId = id.brand<'MoodId'>();
export const labelId = id.brand<'LabelId'>();
export const licenseId = id.brand<'LicenseId'>();
export const videoId = id.brand<'VideoId'>();
export const podcastId = id.brand<'PodcastId'>();
export const podcastEpisodeId = id.brand<'PodcastEpisodeId'>();
export const userId = id.brand<'UserId'>();

export type CatalogId = z.infer<typeof catalogId>;
export type FolderId = z.infer<typeof folderId>;
export type SongId = z.infer<typeof songId>;
export type AlbumId = z.infer<typeof albumId>;
export type ArtistId = z.infer<typeof artistId>;
export type GenreId = z.infer<typeof genreId>;
export type MoodId = z.infer<typeof moodId>;
export type LabelId = z.infer<typeof labelId>;
export type LicenseId = z.infer<typeof licenseId>;
export type VideoId = z.infer<typeof videoId>;
export type PodcastId = z.infer<typeof podcastId>;
export type PodcastEpisodeId = z.infer<typeof podcastEpisodeId>;
export type UserId = z.infer<typeof userId>;

/** Disks of one album beyond this number share its last id: such numbers come from damaged tags. */
const MAX_DISK = 255;

/** The public id of a disk of an album: derived, so that it needs no registry and never changes. */
export const albumDiskIdOf = (album: number, disk: number): number => album * (MAX_DISK + 1) + Math.min(disk, MAX_DISK);

/** A lower-case token that is safe as one NATS subject token and as part of a consumer name. */
export const token = z.string().regex(/^[a-z0-9-]{1,64}$/);
/** A scan's id: a random lower-case UUID. */
export const scanId = token.brand<'ScanId'>();
export type ScanId = z.infer<typeof scanId>;
/** Id of a batch of transcodes: a random lower-case UUID. */
export const transcodeBatchId = token.brand<'TranscodeBatchId'>();
export type TranscodeBatchId = z.infer<typeof transcodeBatchId>;

/** The acting account of the system itself, for what no person asked for. */
export const SYSTEM_ACTOR = 'system';
