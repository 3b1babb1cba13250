import { signer, type ServerSecret } from '@continuo/chassis';

/** Begins secrets as the Standard Webhooks convention writes them. */
const PREFIX = 'whsec_';

/** Makes the secrets of webhooks that come without one. */
export interface WebhookSecrets {
  /** 256 bits, the same for every try of a command; nobody without the server's secret can guess them. */
  of(commandId: string): string;
}

/** Secrets under a key derived from the server's. */
export const webhookSecrets = (secret: ServerSecret): WebhookSecrets => {
  const { mark } = signer(secret, 'webhook-secrets/v1');
  return { of: (commandId) => PREFIX + Buffer.from(mark(commandId), 'hex').toString('base64') };
};
