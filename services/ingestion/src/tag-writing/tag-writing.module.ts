import type { ServiceDependencies } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import type { IngestionConfig } from '../config.js';
import type { CatalogMaintenance } from '../maintenance/catalog-maintenance.js';
import { taglibWriter } from './taglib-writer.js';
import { TAG_WRITING, TagWritingController, type TagWriting } from './tag-writing.controller.js';

/** Files beyond this are no songs that somebody writes tags into; bytes. */
const MAX_FILE_BYTES = 1_000_000_000;
/** Decoding a long file twice takes a while, ms. */
const DECODING_MS = 10 * 60_000;

/** Writing of tags as a Nest module. */
@Module({})
export class TagWritingModule {
  static over({ config, db }: ServiceDependencies<IngestionConfig>, maintenance: CatalogMaintenance): DynamicModule {
    const tools: TagWriting = {
      db,
      maintenance,
      isOn: config.WRITE_TAGS,
      writer: taglibWriter(),
      ffmpeg: config.FFMPEG_PATH,
      timeoutMs: DECODING_MS,
      maxBytes: MAX_FILE_BYTES,
    };
    return { module: TagWritingModule, controllers: [TagWritingController], providers: [{ provide: TAG_WRITING, useValue: tools }] };
  }
}
