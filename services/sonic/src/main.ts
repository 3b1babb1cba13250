#!/usr/bin/env node
import { runMain } from '@continuo/chassis';
import { environment } from './config.js';
import { sonicService } from './sonic.service.js';

await runMain(sonicService, environment);
