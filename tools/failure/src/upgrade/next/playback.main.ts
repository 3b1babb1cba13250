import { playbackService } from '@continuo/playback';
import { runNextRelease } from './next-release.js';

await runNextRelease(playbackService as never);
