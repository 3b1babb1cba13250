#!/usr/bin/env node
import { runMain } from '@continuo/chassis';
import { environment } from './config.js';
import { libraryService } from './library.service.js';

await runMain(libraryService, environment);
