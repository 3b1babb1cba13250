import { z } from 'zod';
import { defineQuery } from './define.js';

/** Subject on which every running service describes itself. */
export const REPLICAS_SUBJECT = 'services.describe';

/** Subject on which every running service answers with its settings. */
export const SETTINGS_SUBJECT = 'services.settings';

/** Subject on which every running service that runs plug-ins tells of them. */
export const PLUGINS_SUBJECT = 'services.plugins';

/** Asks all services for the plug-ins that they run or should run. Values of secret settings are never sent. */
export const pluginsQuery = defineQuery(
  z.object({}),
  z.object({
    service: z.string(),
    plugins: z.array(
      z.object({
        /** As in `PLUGINS` for one that could not be started. */
        name: z.string(),
        title: z.string(),
        version: z.string(),
        sends: z.string(),
        functions: z.array(z.string()),
        state: z.enum(['ready', 'resting', 'unusable']),
        /** Until when it is left alone, epoch ms. */
        restsUntilMs: z.number().nullable(),
        /** Why it cannot be used, or its last failure. */
        problem: z.string().nullable(),
        /** Least time between two requests that it sends, over all services, ms. Services of a release before do not tell. */
        requestEveryMs: z.number().nullable().default(null),
        /** Largest heap of its thread. */
        maxHeapMb: z.number().nullable().default(null),
        /** Questions since the start of the service. */
        asked: z.int().default(0),
        /** Of those, the ones that it could not answer. */
        failed: z.int().default(0),
        settings: z.array(
          z.object({
            name: z.string(),
            about: z.string(),
            value: z.string().nullable(),
            isSet: z.boolean(),
            isSecret: z.boolean(),
            isRequired: z.boolean(),
          }),
        ),
      }),
    ),
  }),
);
export type ServicePlugins = z.infer<(typeof pluginsQuery)['answer']>;

/** Asks all services for their version, their start and their load. Services of one process name the same process. */
export const replicaQuery = defineQuery(
  z.object({}),
  z.object({
    /** New with each start of a service. */
    replicaId: z.string(),
    service: z.string(),
    version: z.string(),
    host: z.string(),
    pid: z.int(),
    startedAtMs: z.number(),
    isReady: z.boolean(),
    /** State by part, `ok` or what is wrong. */
    parts: z.record(z.string(), z.string()),
    /** Memory of the process. */
    memoryBytes: z.number(),
    heapBytes: z.number(),
    /** Cores that the process has used since it was last asked, 1 being a whole one. */
    cpuCores: z.number(),
    /** Share of that time in which its event loop was busy, 0 to 1. */
    eventLoopBusy: z.number(),
  }),
);
export type Replica = z.infer<(typeof replicaQuery)['answer']>;

/** Where the value of a setting comes from; `computed`: the standalone has set it for its services. */
export const settingSources = ['default', 'environment', 'file', 'computed'] as const;
export type SettingSource = (typeof settingSources)[number];

/** Asks all services for their settings in force. Secrets are masked by the service itself: they are never sent. */
export const settingsQuery = defineQuery(
  z.object({}),
  z.object({
    replicaId: z.string(),
    service: z.string(),
    settings: z.array(
      z.object({
        name: z.string(),
        /** As text; null when it has none, and of secrets a row of dots. */
        value: z.string().nullable(),
        source: z.enum(settingSources),
        isSecret: z.boolean(),
      }),
    ),
  }),
);
export type ServiceSettings = z.infer<(typeof settingsQuery)['answer']>;
