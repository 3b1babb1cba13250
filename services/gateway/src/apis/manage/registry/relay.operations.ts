import {
  linkListenBrainz,
  linkPluginRelay,
  Rejection,
  relayService,
  retryRelayNow,
  unlinkRelay,
  userId,
  type RelayService,
} from '@continuo/contracts';
import { z } from 'zod';
import { recordPerformed } from '../../../features/operations/record-operation.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { namesOfAccounts } from '../../../reads/people/managed-accounts.reads.js';
import { relayedPlaysBefore, relayLink, relayLinksAfter, type RelayLinkView } from '../../../reads/plays/relay-links.reads.js';
import { runAndAwaitReadModel, runCommand } from '../../../server/commands.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import type { HasOperations } from '../../../features/operations/operations.js';
import { operate } from '../operate.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operationsUsing, type OperationCall } from '../operation.js';
import { ManageProblem } from '../problems.js';
import { requireAccount } from '../require-account.js';
import { id } from '../schemas/ids.js';
import { time, timeText, timeTextOrNull } from '../schemas/times.js';

type Services = HasCommands & HasConfig & HasReadModel & HasOperations;
const { operation } = operationsUsing<Services>();

const link = z
  .object({
    accountId: id,
    account: z.string().meta({ description: 'Name of the account; empty for one that is gone' }),
    service: relayService,
    host: z.string().meta({ description: 'Host of the service, or name of the plug-in' }),
    state: z
      .enum(['on', 'waiting', 'refused'])
      .meta({ description: 'waiting: the latest try failed; refused: the service ended the link' }),
    linkedAt: time,
    playsTaken: z.int(),
    lastTakenAt: time.nullable(),
    nextTryAt: time.nullable(),
    problem: z.string().nullable().meta({ description: 'Why the latest try failed' }),
  })
  .meta({ id: 'RelayLink' });

const shown = (view: RelayLinkView, account: string): z.output<typeof link> => {
  const isWaiting = view.attempts > 0;
  return {
    accountId: view.accountId,
    account,
    service: view.service,
    host: view.host,
    state: view.enabled ? (isWaiting ? 'waiting' : 'on') : 'refused',
    linkedAt: timeText(view.linkedAtMs),
    playsTaken: view.taken,
    lastTakenAt: timeTextOrNull(view.lastTakenAtMs),
    nextTryAt: isWaiting ? timeTextOrNull(view.nextTryAtMs) : null,
    problem: view.fault,
  };
};

const linkPath = z.strictObject({ accountId: id, service: relayService });

/** @throws ManageProblem `path.not-found` */
const linkNamed = async (
  services: HasOperations & HasReadModel,
  accountId: number,
  service: RelayService,
): Promise<z.output<typeof link>> => {
  // How far links are is the playback service's own, and no view that the gateway may read.
  const found = await operate(services, ({ session }) => relayLink(session.db, accountId, service));
  if (!found) throw new ManageProblem('path.not-found', 'The account is not linked with this service');
  return shown(found, (await namesOfAccounts(services.db, [accountId])).get(accountId) ?? '');
};

const token = z.string().regex(/^[\x21-\x7e]{1,512}$/);
const newLink = z
  .strictObject({
    accountId: id,
    service: z.enum(['listenbrainz', 'plugin']).meta({ description: 'Last.fm is linked by its owner, who allows it there' }),
    token,
    address: z.string().trim().max(2048).optional().meta({ description: 'Of another server that speaks the protocol of ListenBrainz' }),
    plugin: z.string().min(1).max(40).optional().meta({ description: 'Name of the plug-in; needed for its service' }),
  })
  .meta({ id: 'NewRelayLink' });

/** A service elsewhere is asked meanwhile, ms. */
const LINK_TIMEOUT_MS = 20_000;

const made = z
  .object({ ...link.shape, name: z.string().meta({ description: 'Name of the account there; empty where the service tells none' }) })
  .meta({ id: 'CreatedRelayLink' });

const create = async ({ body, services, request }: OperationCall<unknown, unknown, z.output<typeof newLink>, Services>) => {
  const account = await requireAccount(services, body.accountId, '/accountId');
  if (body.service === 'plugin') {
    if (body.plugin === undefined) throw new Rejection('input.missing', 'the plug-in is missing', 'plugin');
    const data = { userId: account, plugin: body.plugin, secret: body.token };
    const { name } = await runAndAwaitReadModel(services, request, { command: linkPluginRelay, timeoutMs: LINK_TIMEOUT_MS }, data);
    return { ...(await linkNamed(services, account, body.service)), name };
  }
  const data = { userId: account, token: body.token, ...(body.address === undefined ? {} : { address: body.address }) };
  const { name } = await runAndAwaitReadModel(services, request, { command: linkListenBrainz, timeoutMs: LINK_TIMEOUT_MS }, data);
  return { ...(await linkNamed(services, account, body.service)), name };
};

const play = z
  .object({
    accountId: id,
    service: relayService,
    songId: id,
    playedAt: time,
    outcome: z.enum(['taken', 'ignored', 'dropped', 'dead']),
    reason: z.string().nullable(),
    toldAt: time,
  })
  .meta({ id: 'RelayedPlay' });

const refusedPlay = z
  .object({ id, accountId: id, service: relayService, songId: id, playedAt: time, attempts: z.int(), reason: z.string() })
  .meta({ id: 'RefusedPlay' });

const MOST_RETRIED = 500;

const refused = {
  listRefusedPlays: operation({
    method: 'GET',
    path: '/relay/refused-plays',
    family: 'relay',
    access: 'read',
    summary: 'Lists plays that scrobble services did not take, the oldest first',
    query: pageQuery.extend({ accountId: id.optional() }),
    answer: pageOf(refusedPlay),
    run: async ({ query, services }) => {
      const after = readCursor(z.int().min(0), query.cursor) ?? 0;
      const filter = { accountId: query.accountId, after, limit: rowsOfPage(query) };
      const rows = await operate(services, ({ library, session }) => library.refusedPlays(session, filter));
      const page = cutPage(rows, query, ({ sequence }) => sequence);
      const items = page.items.map(({ sequence, playedAtMs, ...row }) => ({ id: sequence, ...row, playedAt: timeText(playedAtMs) }));
      return { ...page, items };
    },
  }),
  retryRefusedPlays: operation({
    method: 'POST',
    path: '/relay/refused-plays/retries',
    family: 'relay',
    access: 'write',
    summary: 'Tells scrobble services again what they did not take, once the cause is gone',
    description: 'The plays that are named, or the oldest ones (of an account), at most 500.',
    body: z
      .strictObject({ ids: z.array(id).min(1).max(MOST_RETRIED), accountId: id })
      .partial()
      .meta({ id: 'RefusedPlayRetry' }),
    answer: z.object({ retried: z.int() }).meta({ id: 'RefusedPlaysRetried' }),
    tagged: false,
    run: async ({ body: { ids, accountId }, services, request }) => {
      await recordPerformed(services, request, 'retryRefusedPlays', accountId);
      return operate(services, async ({ library, session }) => ({
        retried: await library.retryRefusedPlays(session, { sequences: ids, accountId, limit: MOST_RETRIED }),
      }));
    },
  }),
};

const playCursor = z.tuple([z.number(), z.number(), z.string()]);

/** Operations on the scrobble relay. */
export const relayOperations = {
  listRelayLinks: operation({
    method: 'GET',
    path: '/relay/links',
    family: 'relay',
    access: 'read',
    summary: 'Lists links with scrobble services, by account and service',
    query: pageQuery.extend({ accountId: id.optional() }),
    answer: pageOf(link),
    run: async ({ query, services }) => {
      const after = readCursor(z.tuple([z.number(), z.string()]), query.cursor);
      const filter = { accountId: query.accountId, after, limit: rowsOfPage(query) };
      const rows = await operate(services, ({ session }) => relayLinksAfter(session.db, filter));
      const page = cutPage(rows, query, (row) => [row.accountId, row.service]);
      const names = await namesOfAccounts(
        services.db,
        page.items.map(({ accountId }) => accountId),
      );
      return { ...page, items: page.items.map((one) => shown(one, names.get(one.accountId) ?? '')) };
    },
  }),
  getRelayLink: operation({
    method: 'GET',
    path: '/relay/links/{accountId}/{service}',
    family: 'relay',
    access: 'read',
    summary: 'Answers the link of an account with a scrobble service',
    params: linkPath,
    answer: link,
    aggregates: async ({ params }) => [['playback', 'relay', params.accountId]],
    run: ({ params, services }) => linkNamed(services, params.accountId, params.service),
  }),
  createRelayLink: operation({
    method: 'POST',
    path: '/relay/links',
    family: 'relay',
    access: 'write',
    summary: 'Links an account with a scrobble service, once that knows the token',
    body: newLink,
    answer: made,
    status: 201,
    errors: ['feature.disabled'],
    locate: ({ accountId, service }) => `/relay/links/${accountId}/${service}`,
    run: create,
  }),
  deleteRelayLink: operation({
    method: 'DELETE',
    path: '/relay/links/{accountId}/{service}',
    family: 'relay',
    access: 'write',
    summary: 'Unlinks an account from a scrobble service',
    params: linkPath,
    run: async ({ params, services, request }) => {
      await linkNamed(services, params.accountId, params.service);
      await runCommand(services, request, unlinkRelay, { userId: userId.parse(params.accountId), service: params.service });
    },
  }),
  retryRelayLink: operation({
    method: 'POST',
    path: '/relay/links/{accountId}/{service}/retry',
    family: 'relay',
    access: 'write',
    summary: 'Tells a scrobble service at once what waits for it',
    params: linkPath,
    answer: link,
    status: 202,
    run: async ({ params, services, request }) => {
      await linkNamed(services, params.accountId, params.service);
      await recordPerformed(services, request, 'retryRelayLink', `${params.accountId}.${params.service}`);
      await runCommand(services, request, retryRelayNow, { userId: userId.parse(params.accountId), service: params.service });
      return linkNamed(services, params.accountId, params.service);
    },
  }),
  listRelayedPlays: operation({
    method: 'GET',
    path: '/relay/plays',
    family: 'relay',
    access: 'read',
    summary: 'Lists plays that scrobble services were told lately, the latest first',
    query: pageQuery.extend({ accountId: id.optional() }),
    answer: pageOf(play),
    run: async ({ query, services }) => {
      const before = readCursor(playCursor, query.cursor);
      const filter = { accountId: query.accountId, before, limit: rowsOfPage(query) };
      const rows = await operate(services, ({ session }) => relayedPlaysBefore(session.db, filter));
      const page = cutPage(rows, query, (row) => [row.atMs, row.position, row.service]);
      const items = page.items.map(({ playedAtMs, atMs, position: _position, ...row }) => ({
        ...row,
        playedAt: timeText(playedAtMs),
        toldAt: timeText(atMs),
      }));
      return { ...page, items };
    },
  }),
  ...refused,
};
