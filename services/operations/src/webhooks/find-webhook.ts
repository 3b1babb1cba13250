import { webhookId, type WebhookId, type WebhookTable } from '@continuo/contracts';
import { OperatorError } from '../connect/operator-error.js';
import type { Session } from '../connect/session.js';

const MAX_ID = 0x7fffffff;

/** The webhook of a number. @throws OperatorError when there is none */
export const webhookById = async ({ db }: Pick<Session, 'db'>, text: string): Promise<WebhookTable & { readonly id: WebhookId }> => {
  const id = Number(text);
  const row =
    Number.isInteger(id) && id > 0 && id <= MAX_ID
      ? await db.selectFrom('social.webhook').selectAll().where('id', '=', id).executeTakeFirst()
      : undefined;
  if (!row) throw new OperatorError(`there is no webhook ${text}`, '"continuo webhook list" shows them', { kind: 'not-found' });
  return { ...row, id: webhookId.parse(row.id) };
};
