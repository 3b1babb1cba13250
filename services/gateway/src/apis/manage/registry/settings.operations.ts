import { askEverybody } from '@continuo/chassis';
import { SETTINGS_SUBJECT, settingSources, settingsQuery, type ServiceSettings } from '@continuo/contracts';
import { z } from 'zod';
import type { HasOperations } from '../../../features/operations/operations.js';
import { pageByText, pageOf, pageQuery } from '../cursors.js';
import { operate } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { word } from '../schemas/ids.js';
import { settingMeanings } from './setting-meanings.js';

const { operation } = operationsUsing<HasOperations>();

const setting = z
  .object({
    service: z.string(),
    name: z.string(),
    value: z.string().nullable().meta({ description: 'As text; dots for secrets, null when it has none' }),
    source: z.enum(settingSources).meta({ description: '`computed`: the standalone has set it for its services' }),
    isSecret: z.boolean(),
    meaning: z.string().nullable().meta({ description: 'As docs/operate/configuration.md says it; null for settings of no service' }),
    differs: z.boolean().meta({ description: 'Whether replicas of the service have other values' }),
  })
  .meta({ id: 'Setting' });

/** One row for each setting of a service; replicas that started with other values show. */
const merged = (answers: readonly ServiceSettings[]): z.output<typeof setting>[] => {
  // They answer in any order; the row shows the same one of them each time.
  const inOrder = answers.toSorted((a, b) => (a.replicaId < b.replicaId ? -1 : 1));
  const rows = inOrder.flatMap(({ service, settings }) => settings.map((one) => ({ service, ...one })));
  return [...Map.groupBy(rows, ({ service, name }) => `${service} ${name}`).values()].flatMap((same) => {
    const [first] = same;
    const differs = same.some(({ value, source }) => value !== first?.value || source !== first.source);
    return first ? [{ ...first, meaning: settingMeanings[first.name] ?? null, differs }] : [];
  });
};

/** Operations on the settings in force. */
export const settingOperations = {
  listSettings: operation({
    method: 'GET',
    path: '/settings',
    family: 'settings',
    access: 'read',
    summary: 'Lists settings in force by service and name, with their source; secrets are masked',
    query: pageQuery.extend({ service: word.optional().meta({ description: 'Only settings of this service' }) }),
    answer: pageOf(setting),
    run: async ({ query, services }) => {
      const found = await operate(services, ({ session }) => askEverybody(session.nats, settingsQuery, {}, { subject: SETTINGS_SUBJECT }));
      const wanted = found.filter(({ service }) => query.service === undefined || service === query.service);
      return pageByText(merged(wanted), query, ({ service, name }) => `${service} ${name}`);
    },
  }),
};
