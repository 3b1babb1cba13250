import { accessLevel, Rejection, removeAccessRule, switchAccessRule, type ErrorCode } from '@continuo/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { accessRuleById, addRule } from '../features/access-list.js';
import { runCommand } from '../server/commands.js';
import { requestContext, type CallerContext } from '../server/requests/request-context.js';
import { PAGE_BODY_BYTES } from '../server/requests/request-bounds.js';
import { asRejection, type Surface } from '../server/server.js';
import { accessRules, type AccessRuleView } from '../reads/visibility/access-rules.reads.js';
import type { HasReadModel } from '../reads/database/database.js';
import type { HasAuth } from '../auth/auth.js';
import type { HasCommands, HasConfig, HasLog } from '../server/needs.js';

type Services = HasAuth & HasCommands & HasConfig & HasReadModel & HasLog;

/** Level of whoever may look at the list and change it. */
const ADMINISTRATOR = 100;
const DEFAULT_LEVEL = 75;

const statusOf: Partial<Record<ErrorCode, number>> = {
  'auth.failed': 401,
  'auth.expired': 401,
  'auth.throttled': 429,
  'access.address': 403,
  'access.scope': 403,
  'access.denied': 403,
  'user.not-found': 404,
  'input.too-large': 413,
  unavailable: 503,
  internal: 500,
};

/** @throws Rejection `auth.expired`, `access.address`; `access.denied` for anybody but administrators */
const administrator = async (request: FastifyRequest, { auth, log }: Services): Promise<CallerContext> => {
  const context = requestContext(request, { log });
  const caller = await auth.authenticateNative(context.auth);
  if (caller.account.access < ADMINISTRATOR) throw new Rejection('access.denied', `Require: ${ADMINISTRATOR}`);
  return { ...context, caller };
};

const text = z.union([z.string(), z.number()]).transform(String);
/** Forms and JSON alike. */
const yesOrNo = z.union([z.boolean(), z.enum(['1', 'true']).transform(() => true), z.enum(['0', 'false']).transform(() => false)]);
const newRule = z.object({
  type: z.enum(['rpc', 'stream', 'interface', 'network']),
  start: z.string(),
  end: z.string().optional(),
  level: z.coerce.number().pipe(accessLevel).default(DEFAULT_LEVEL),
  user: text.nullish(),
  name: z.string().trim().min(1).max(255).optional(),
  enabled: yesOrNo.default(true),
});
const change = z.object({ enabled: yesOrNo });

/** @throws Rejection `input.invalid` with the field at fault */
const read = <T>(schema: z.ZodType<T>, { params }: CallerContext): T => {
  const { success, data, error } = schema.safeParse(params);
  if (success) return data;
  const [issue] = error.issues;
  throw new Rejection('input.invalid', issue?.message, String(issue?.path[0] ?? ''));
};

/** @throws Rejection `input.invalid` about `id` */
const ruleNamed = async (services: Services, id: string): Promise<AccessRuleView> => {
  const rule = /^[1-9]\d{0,8}$/.test(id) ? await accessRuleById(services, Number(id)) : undefined;
  if (!rule) throw new Rejection('input.invalid', `There is no rule ${id.slice(0, 20)}`, 'id');
  return rule;
};

const add = async (context: CallerContext, services: Services): Promise<AccessRuleView> => {
  const { user, ...rule } = read(newRule, context);
  return ruleNamed(services, String(await addRule(services, context, { ...rule, user: user ?? null })));
};

const list = async (request: FastifyRequest, services: Services): Promise<{ readonly rules: readonly AccessRuleView[] }> => {
  await administrator(request, services);
  return { rules: await accessRules(services.db) };
};

const added = async (request: FastifyRequest, reply: FastifyReply, services: Services): Promise<FastifyReply> => {
  const rule = await add(await administrator(request, services), services);
  return reply.code(201).send(rule);
};

interface OfRule {
  readonly Params: { readonly id: string };
}

const switched = async (request: FastifyRequest<OfRule>, services: Services): Promise<AccessRuleView> => {
  const context = await administrator(request, services);
  const { id } = await ruleNamed(services, request.params.id);
  await runCommand(services, context, switchAccessRule, { ruleId: id, ...read(change, context) });
  return ruleNamed(services, request.params.id);
};

const removed = async (request: FastifyRequest<OfRule>, reply: FastifyReply, services: Services): Promise<FastifyReply> => {
  const context = await administrator(request, services);
  const { id } = await ruleNamed(services, request.params.id);
  await runCommand(services, context, removeAccessRule, { ruleId: id });
  return reply.code(204).send();
};

const register = (app: FastifyInstance, services: Services): void => {
  app.setErrorHandler((error, request, reply) => {
    const { code, message, subject } = asRejection(error, services.log.child({ correlationId: request.id }));
    return reply
      .code(subject === 'id' ? 404 : (statusOf[code] ?? 400))
      .send({ error: { code, message, ...(subject ? { parameter: subject } : {}) } });
  });
  app.get('/access-list', (request) => list(request, services));
  app.post('/access-list', { bodyLimit: PAGE_BODY_BYTES }, (request, reply) => added(request, reply, services));
  app.patch<OfRule>('/access-list/:id', (request) => switched(request, services));
  app.delete<OfRule>('/access-list/:id', (request, reply) => removed(request, reply, services));
};

/** `/access-list`: from where what may be used, looked at and changed by administrators. Errors are JSON with a status. */
export const accessListSurface =
  (services: Services): Surface =>
  async (app: FastifyInstance) => {
    await app.register(async (scope) => register(scope, services));
  };
