import type { Dashboard } from '../panel.js';
import { api } from './api.dashboard.js';
import { ingestion } from './ingestion.dashboard.js';
import { jobs } from './jobs.dashboard.js';
import { log } from './log.dashboard.js';
import { overview } from './overview.dashboard.js';

/** All dashboards, the first one first. */
export const dashboards: readonly Dashboard[] = [overview, api, log, jobs, ingestion];
