#!/usr/bin/env node
import { runMain } from '@continuo/chassis';
import { environment } from './server/config.js';
import { gatewayService } from './gateway.service.js';

await runMain(gatewayService, environment);
