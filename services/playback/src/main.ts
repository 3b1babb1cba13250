#!/usr/bin/env node
import { runMain } from '@continuo/chassis';
import { environment } from './config.js';
import { playbackService } from './playback.service.js';

await runMain(playbackService, environment);
