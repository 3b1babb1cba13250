import { z } from 'zod';

/** A time, ISO 8601 in UTC. */
export const time = z.iso.datetime().meta({ description: 'ISO 8601, UTC' });

/** Epoch milliseconds as {@link time}. */
export const timeText = (atMs: number): string => new Date(atMs).toISOString();

/** As {@link timeText}, null staying null. */
export const timeTextOrNull = (atMs: number | null | undefined): string | null =>
  atMs === null || atMs === undefined ? null : timeText(atMs);
