#!/usr/bin/env node
import { runMain } from '@continuo/chassis';
import { environment } from './config.js';
import { transcodingService } from './transcoding.service.js';

await runMain(transcodingService, environment);
