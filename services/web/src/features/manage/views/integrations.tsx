import { Link } from '@tanstack/react-router';
import { Eye, FlaskConical, Power, Send, Webhook as WebhookIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { base } from '../../../lib/session.js';
import { announce } from '../../../ui/action.js';
import { Dialog } from '../../../ui/dialog.js';
import { openDialog } from '../../../ui/dialogs.js';
import { PillButton } from '../../../ui/buttons.js';
import { answered, manage, type Managed } from '../api.js';
import { askFor } from '../components/form-dialog.js';
import { ItemTable, type RowAction } from '../components/item-table.js';
import { removal } from '../components/removal.js';
import { Payload } from '../components/payload.js';
import { LOOK_EVERY_MS, useItems } from '../components/use-items.js';
import { SecretDialog } from '../components/secret-dialog.js';
import { count, size, when } from '../format.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';

type Webhook = Managed['Webhook'];

const addWebhook = (): void =>
  askFor({
    title: m.addWebhook,
    submitLabel: m.add,
    fields: [
      { name: 'name', label: m.name },
      { name: 'url', label: m.address, type: 'url', isRequired: true },
      { name: 'events', label: m.eventTypes, isRequired: true, hint: m.eventTypesHint },
    ],
    onSubmit: async ({ name, url = '', events = '' }) => {
      const types = events
        .split(',')
        .map((type) => type.trim())
        .filter(Boolean);
      const { secret } = await answered(manage.POST('/webhooks', { body: { url, events: types, ...(name ? { name } : {}) } }));
      return <SecretDialog secret={secret} />;
    },
  });

const test = async ({ id }: Webhook): Promise<void> => {
  const { status, fault, durationMs } = await answered(manage.POST('/webhooks/{id}/tests', { params: { path: { id } } }));
  announce(m.tested(fault ?? String(status), Math.round(durationMs)));
};

const ACTIONS: readonly RowAction<Webhook>[] = [
  { name: ({ name }) => m.test(name), icon: FlaskConical, run: test },
  {
    name: ({ name }) => m.redeliver(name),
    icon: Send,
    run: ({ id }) => answered(manage.POST('/webhooks/{id}/redeliveries', { params: { path: { id } } })),
  },
  {
    name: ({ name, enabled }) => (enabled ? m.switchOff(name) : m.switchOn(name)),
    icon: Power,
    run: ({ id, enabled }) => answered(manage.PATCH('/webhooks/{id}', { params: { path: { id } }, body: { enabled: !enabled } })),
  },
  removal('/webhooks/{id}', ({ name }) => name, { title: m.deleteWebhook, text: m.deleteWebhookText }),
];

const stateOf = ({ enabled, endedBy }: Webhook): string => {
  if (enabled) return m.on;
  return endedBy === null ? m.off : m.endedBy[endedBy];
};

const Webhooks = (): ReactNode => (
  <ItemTable
    title={m.webhooks}
    list="/webhooks"
    columns={[
      {
        name: m.name,
        cell: ({ id, name }) => (
          <Link to="/manage/$section/$id" params={{ section: 'integrations', id: String(id) }} aria-label={m.deliveriesOf(name)}>
            {name}
          </Link>
        ),
      },
      { name: m.machine, cell: ({ host }) => host },
      { name: m.eventTypes, cell: ({ events }) => events.join(', ') },
      { name: m.state, cell: stateOf },
    ]}
    keyOf={({ id }) => id}
    actions={ACTIONS}
    empty={m.noWebhooks}
    tools={<PillButton icon={WebhookIcon} label={m.addWebhook} onPress={addWebhook} />}
  />
);

/** A JSON text over several lines; any other text as it is. */
const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const Content = ({ title, text }: { readonly title: string; readonly text: string | null }): ReactNode => (
  <>
    <h3>{title}</h3>
    {text ? <Payload text={indented(text)} /> : <p className={styles['dim']}>{m.none}</p>}
  </>
);

const inspect = async (id: number, eventId: string): Promise<void> => {
  const found = await answered(manage.GET('/webhooks/{id}/deliveries/{eventId}', { params: { path: { id, eventId } } }));
  const { type, status, fault, durationMs, payload, answer } = found;
  openDialog(
    <Dialog title={type}>
      <p className={fault === null ? undefined : styles['bad']}>{m.tested(fault ?? String(status), Math.round(durationMs))}</p>
      <Content title={m.sent} text={payload} />
      <Content title={m.answer} text={answer} />
    </Dialog>,
  );
};

/** Deliveries of a webhook, the latest first; each shows what was sent and answered. */
export const Deliveries = ({ id }: { readonly id: string }): ReactNode => {
  const name = useItems('/webhooks').find((webhook) => String(webhook.id) === id)?.name ?? id;
  return (
    <>
      <p className={styles['text']}>
        <Link to="/manage/$section" params={{ section: 'integrations' }}>
          {m.backToIntegrations}
        </Link>
      </p>
      <ItemTable
        title={m.deliveriesOf(name)}
        list="/webhooks/{id}/deliveries"
        selection={{ path: { id } }}
        everyMs={LOOK_EVERY_MS}
        columns={[
          { name: m.type, cell: ({ type }) => type },
          { name: m.state, cell: ({ outcome }) => m.outcomes[outcome] },
          { name: m.answer, cell: ({ status, fault }) => fault ?? status },
          { name: m.attempts, isNumber: true, cell: ({ attempts }) => count(attempts) },
          { name: m.at, cell: ({ lastAt }) => when(lastAt) },
          { name: m.nextTry, cell: ({ nextAt }) => (nextAt === null ? m.none : when(nextAt)) },
        ]}
        keyOf={({ eventId }) => eventId}
        actions={[{ name: ({ type }) => m.look(type), icon: Eye, run: ({ eventId }) => inspect(Number(id), eventId) }]}
        empty={m.noDeliveries}
      />
    </>
  );
};

const pluginState = ({ service, state, problem, asked, failed }: Managed['PluginState']): string =>
  `${service}: ${[m.pluginStates[state], m.questions(count(asked), count(failed)), ...(problem === null ? [] : [problem])].join(', ')}`;

const pluginLimits = ({ requestEveryMs, maxHeapMb }: Managed['Plugin']): string =>
  [
    ...(requestEveryMs === null ? [] : [m.requestsPerMinute(count(Math.floor(60_000 / requestEveryMs)))]),
    ...(maxHeapMb === null ? [] : [m.memoryAtMost(size(maxHeapMb * 2 ** 20))]),
  ].join(', ');

/** Webhooks, links with scrobble services, and plug-ins. */
export const Integrations = (): ReactNode => (
  <>
    <p className={styles['text']}>
      <a href={`${base}docs`}>{m.documents}</a>
    </p>
    <Webhooks />
    <ItemTable
      title={m.relay}
      list="/relay/links"
      columns={[
        { name: m.accountName, cell: ({ account, accountId }) => account || accountId },
        { name: m.service, cell: ({ service, host }) => `${service}, ${host}` },
        { name: m.state, cell: ({ state, problem }) => (problem === null ? m.relayStates[state] : problem) },
        { name: m.taken, isNumber: true, cell: ({ playsTaken }) => count(playsTaken) },
      ]}
      keyOf={({ accountId, service }) => `${accountId} ${service}`}
      empty={m.noRelay}
    />
    <ItemTable
      title={m.plugins}
      list="/plugins"
      columns={[
        { name: m.name, cell: ({ title }) => title },
        { name: m.version, cell: ({ version }) => version },
        { name: m.does, cell: ({ functions }) => functions.join(', ') },
        { name: m.state, cell: ({ services }) => services.map(pluginState).join('; ') },
        { name: m.limits, cell: pluginLimits },
        {
          name: m.settings,
          cell: ({ settings }) =>
            settings
              .filter(({ isSet }) => isSet)
              .map(({ name }) => name)
              .join(', ') || m.none,
        },
      ]}
      keyOf={({ name }) => name}
      empty={m.noPlugins}
    />
  </>
);
