import { renameApiKey, revokeApiKey, userId } from '@continuo/contracts';
import { z } from 'zod';
import type { HasAuth } from '../../../auth/auth.js';
import { issueKey } from '../../../features/keys.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { managedKeyById, managedKeysAfter, type ManagedKey } from '../../../reads/people/managed-accounts.reads.js';
import { runCommand } from '../../../server/commands.js';
import type { HasClock, HasCommands, HasConfig } from '../../../server/needs.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operationsUsing, type OperationCall } from '../operation.js';
import { ManageProblem } from '../problems.js';
import { requireAccount } from '../require-account.js';
import { id } from '../schemas/ids.js';
import { apiKey, issuedKey, keyCursor, keyName, keyPath, keyView, newKeyFields } from '../schemas/key.schema.js';

type Services = HasAuth & HasClock & HasCommands & HasConfig & HasReadModel;
const { operation } = operationsUsing<Services>();

type Call = Pick<OperationCall<unknown, unknown, unknown, Services>, 'services' | 'request'>;

/** A key of one account, or of any. @throws ManageProblem `path.not-found` */
const keyNamed = async ({ services }: Call, wanted: string, accountId?: number): Promise<ManagedKey> => {
  const found = await managedKeyById(services.db, wanted);
  if (!found || (accountId !== undefined && found.accountId !== accountId))
    throw new ManageProblem('path.not-found', 'There is no such key');
  return found;
};

const listKeys = async ({ services }: Call, query: z.output<typeof pageQuery>, accountId: number | undefined) => {
  const rows = await managedKeysAfter(services.db, { accountId, after: readCursor(keyCursor, query.cursor), limit: rowsOfPage(query) });
  const page = cutPage(rows, query, (row) => ({ createdAtMs: row.createdAtMs, id: row.id }));
  return { ...page, items: page.items.map((row) => keyView(row, services.auth)) };
};

const newKey = z.strictObject({ accountId: id, ...newKeyFields }).meta({ id: 'NewApiKey' });
const newOwnKey = z.strictObject(newKeyFields).meta({ id: 'NewOwnApiKey' });
const keyChange = z.strictObject({ name: keyName }).partial().meta({ id: 'ApiKeyChange' });

const issue = async ({ services, request }: Call, { expiresAt, ...wanted }: z.output<typeof newKey>) => {
  await requireAccount(services, wanted.accountId, '/accountId');
  const expiresAtMs = expiresAt === undefined ? undefined : Date.parse(expiresAt);
  const { key, ...issued } = await issueKey(services, request, { ...wanted, expiresAtMs });
  return { ...keyView(issued, services.auth), key };
};

const change = async (call: Call, before: ManagedKey, { name }: z.output<typeof keyChange>) => {
  const data = { userId: userId.parse(before.accountId), keyId: before.id };
  if (name !== undefined) await runCommand(call.services, call.request, renameApiKey, { ...data, name });
  return keyView(await keyNamed(call, before.id), call.services.auth);
};

const revoke = async ({ services, request }: Call, { accountId, id: keyId }: ManagedKey): Promise<void> => {
  await runCommand(services, request, revokeApiKey, { userId: userId.parse(accountId), keyId });
};

const ownId = ({ request }: Call): number => request.caller.account.id;

/** Lowest level that may change an account's own data: guests share their account. */
const USER = 25;
const own = { family: 'account', level: USER } as const;
const volatile = ['lastUsedAt'];
const noIssue = ['account.full', 'access.scope'] as const;

/** Operations on API keys: of all accounts, and one’s own. */
export const keyOperations = {
  listKeys: operation({
    method: 'GET',
    path: '/keys',
    family: 'keys',
    access: 'read',
    summary: 'Lists API keys, the oldest first',
    query: pageQuery.extend({ accountId: id.optional() }),
    answer: pageOf(apiKey),
    run: (call) => listKeys(call, call.query, call.query.accountId),
  }),
  getKey: operation({
    method: 'GET',
    path: '/keys/{id}',
    family: 'keys',
    access: 'read',
    summary: 'Answers an API key without its text',
    params: keyPath,
    answer: apiKey,
    volatile,
    aggregates: async (call) => [['identity', 'user', (await keyNamed(call, call.params.id)).accountId]],
    run: async (call) => keyView(await keyNamed(call, call.params.id), call.services.auth),
  }),
  issueKey: operation({
    method: 'POST',
    path: '/keys',
    family: 'keys',
    access: 'write',
    summary: 'Issues an API key; its text is answered once',
    body: newKey,
    answer: issuedKey,
    status: 201,
    errors: noIssue,
    volatile,
    locate: (made) => `/keys/${made.id}`,
    run: (call) => issue(call, call.body),
  }),
  changeKey: operation({
    method: 'PATCH',
    path: '/keys/{id}',
    family: 'keys',
    access: 'write',
    summary: 'Renames an API key',
    params: keyPath,
    body: keyChange,
    answer: apiKey,
    volatile,
    run: async (call) => change(call, await keyNamed(call, call.params.id), call.body),
  }),
  revokeKey: operation({
    method: 'DELETE',
    path: '/keys/{id}',
    family: 'keys',
    access: 'write',
    summary: 'Revokes an API key and ends what it opened',
    params: keyPath,
    run: async (call) => revoke(call, await keyNamed(call, call.params.id)),
  }),
  listOwnKeys: operation({
    ...own,
    method: 'GET',
    path: '/account/keys',
    access: 'read',
    summary: 'Lists one’s own API keys, the oldest first',
    query: pageQuery,
    answer: pageOf(apiKey),
    run: (call) => listKeys(call, call.query, ownId(call)),
  }),
  issueOwnKey: operation({
    ...own,
    method: 'POST',
    path: '/account/keys',
    access: 'write',
    summary: 'Issues an API key for oneself; its text is answered once',
    body: newOwnKey,
    answer: issuedKey,
    status: 201,
    errors: noIssue,
    volatile,
    locate: (made) => `/account/keys/${made.id}`,
    run: (call) => issue(call, { ...call.body, accountId: ownId(call) }),
  }),
  getOwnKey: operation({
    ...own,
    method: 'GET',
    path: '/account/keys/{id}',
    access: 'read',
    summary: 'Answers one of one’s own API keys without its text',
    params: keyPath,
    answer: apiKey,
    volatile,
    aggregates: async (call) => [['identity', 'user', ownId(call)]],
    run: async (call) => keyView(await keyNamed(call, call.params.id, ownId(call)), call.services.auth),
  }),
  changeOwnKey: operation({
    ...own,
    method: 'PATCH',
    path: '/account/keys/{id}',
    access: 'write',
    summary: 'Renames one of one’s own API keys',
    params: keyPath,
    body: keyChange,
    answer: apiKey,
    volatile,
    run: async (call) => change(call, await keyNamed(call, call.params.id, ownId(call)), call.body),
  }),
  revokeOwnKey: operation({
    ...own,
    method: 'DELETE',
    path: '/account/keys/{id}',
    access: 'write',
    summary: 'Revokes one of one’s own API keys',
    params: keyPath,
    run: async (call) => revoke(call, await keyNamed(call, call.params.id, ownId(call))),
  }),
};
