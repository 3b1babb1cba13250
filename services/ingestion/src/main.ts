#!/usr/bin/env node
import { runMain } from '@continuo/chassis';
import { environment } from './config.js';
import { ingestionService } from './ingestion.service.js';

await runMain(ingestionService, environment);
