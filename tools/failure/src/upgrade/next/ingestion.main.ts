import { ingestionService } from '@continuo/ingestion';
import { runNextRelease } from './next-release.js';

await runNextRelease(ingestionService as never);
