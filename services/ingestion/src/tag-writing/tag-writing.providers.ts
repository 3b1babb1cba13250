import { CONFIG, DATABASE, type ServiceDependencies } from '@continuo/chassis';
import type { Provider } from '@nestjs/common';
import type { IngestionConfig } from '../config.js';
import { CatalogMaintenance } from '../maintenance/catalog-maintenance.js';
import { taglibWriter } from './taglib-writer.js';
import { TAG_WRITING, type TagWriting } from './tag-writing.controller.js';

/** Files beyond this are no songs that somebody writes tags into; bytes. */
const MAX_FILE_BYTES = 1_000_000_000;
/** Decoding a long file twice takes a while, ms. */
const DECODING_MS = 10 * 60_000;

const tagWriting = (config: IngestionConfig, db: ServiceDependencies['db'], maintenance: CatalogMaintenance): TagWriting => ({
  db,
  maintenance,
  isOn: config.WRITE_TAGS,
  writer: taglibWriter(),
  ffmpeg: config.FFMPEG_PATH,
  timeoutMs: DECODING_MS,
  maxBytes: MAX_FILE_BYTES,
});

/** Providers of writing tags. */
export const tagWritingProviders: Provider[] = [
  { provide: TAG_WRITING, useFactory: tagWriting, inject: [CONFIG, DATABASE, CatalogMaintenance] },
];
