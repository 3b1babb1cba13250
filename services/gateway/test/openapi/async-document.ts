import { publicEvent, publicEventTypes } from '@continuo/contracts';
import { z } from 'zod';
import { productVersion } from '@continuo/chassis';

const channel = (address: string | null, title: string, description: string): object => ({
  address,
  title,
  description,
  messages: Object.fromEntries(Object.keys(publicEventTypes).map((type) => [type, { $ref: `#/components/messages/${type}` }])),
});

const { $schema: _dialect, '~standard': _standard, ...eventSchema } = z.toJSONSchema(publicEvent) as Record<string, unknown>;

const messageOf = ([type, meaning]: readonly [string, string]): readonly [string, object] => [
  type,
  {
    name: type,
    summary: meaning,
    contentType: 'application/json',
    payload: { allOf: [{ $ref: '#/components/schemas/Event' }, { type: 'object', properties: { type: { const: type } } }] },
  },
];

const texts = (names: Readonly<Record<string, string>>): object => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(names).map(([name, description]) => [name, { type: 'string', description }])),
});

/** AsyncAPI 3 document of the event stream and the webhooks. */
export const asyncDocument = (): object => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Continuo events',
    version: productVersion,
    description: 'What happens in the library, as server-sent events and as webhooks. Each receiver gets what it may see.',
  },
  defaultContentType: 'application/json',
  channels: {
    events: {
      ...channel('/events', 'Event stream', 'Server-sent events. Each has the id that a new connection resumes behind.'),
      bindings: { http: { bindingVersion: '0.3.0' } },
    },
    webhook: channel(null, 'Webhook', 'POST to the address of a webhook; repeated until it is answered 2xx.'),
  },
  operations: {
    sendEvents: {
      action: 'send',
      channel: { $ref: '#/channels/events' },
      summary: 'Sends the events that the caller may see',
      security: [{ $ref: '#/components/securitySchemes/bearer' }],
      bindings: {
        http: {
          method: 'GET',
          query: texts({ types: 'Types, families (`play.*`) or `*`, separated by commas.', last_event_id: 'As the header Last-Event-ID.' }),
          bindingVersion: '0.3.0',
        },
      },
    },
    callWebhook: {
      action: 'send',
      channel: { $ref: '#/channels/webhook' },
      summary: 'Calls a webhook with one event',
      bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      traits: [{ $ref: '#/components/operationTraits/signed' }],
    },
  },
  components: {
    messages: Object.fromEntries(Object.entries(publicEventTypes).map(messageOf)),
    schemas: { Event: eventSchema },
    operationTraits: {
      signed: {
        description: 'Signed by the Standard Webhooks convention: headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.',
      },
    },
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'API key or session token.' } },
  },
});
