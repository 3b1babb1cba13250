import { createSocialService } from '@continuo/social';
import { runNextRelease } from './next-release.js';

await runNextRelease(createSocialService({ onFirstAdministrator: () => undefined }) as never);
