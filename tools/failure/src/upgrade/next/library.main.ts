import { libraryService } from '@continuo/library';
import { runNextRelease } from './next-release.js';

await runNextRelease(libraryService as never);
