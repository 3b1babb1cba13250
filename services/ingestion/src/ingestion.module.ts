import { Module } from '@nestjs/common';
import { artStoreProvider } from './art-store.provider.js';
import { MaintenanceController } from './maintenance/maintenance.controller.js';
import { MetadataController } from './metadata/metadata.controller.js';
import { metadataProviders } from './metadata/metadata.providers.js';
import { DownloadsController } from './podcast/download/downloads.controller.js';
import { PodcastController } from './podcast/podcast.controller.js';
import { podcastProviders } from './podcast/podcast.providers.js';
import { ScanController } from './scan/scan.controller.js';
import { scanProviders } from './scan/scan.providers.js';
import { TagWritingController } from './tag-writing/tag-writing.controller.js';
import { tagWritingProviders } from './tag-writing/tag-writing.providers.js';
import { UploadController } from './upload/upload.controller.js';
import { uploadProviders } from './upload/upload.providers.js';
import { automaticScanProviders } from './watch/automatic-scans.providers.js';

/** The handlers of the ingestion service, their providers, and its work in the background. */
@Module({
  controllers: [
    ScanController,
    MaintenanceController,
    UploadController,
    PodcastController,
    DownloadsController,
    MetadataController,
    TagWritingController,
  ],
  providers: [
    artStoreProvider,
    ...scanProviders,
    ...automaticScanProviders,
    ...uploadProviders,
    ...podcastProviders,
    ...metadataProviders,
    ...tagWritingProviders,
  ],
})
export class IngestionModule {}
