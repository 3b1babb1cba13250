import { gatewayService } from '@continuo/gateway';
import { runNextRelease } from './next-release.js';

await runNextRelease(gatewayService as never);
