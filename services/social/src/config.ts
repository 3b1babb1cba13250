import { baseConfig, outboundSettings, type Environment } from '@continuo/chassis';
import { z } from 'zod';

const flag = (byDefault: boolean) =>
  z
    .enum(['true', 'false', '1', '0', 'on', 'off'])
    .default(byDefault ? 'true' : 'false')
    .transform((text) => text === 'true' || text === '1' || text === 'on');

/** Settings of the social service. */
export const socialConfig = baseConfig.extend({
  /** Name of the administrator made at the very first start. */
  CONTINUO_ADMIN_USER: z.string().trim().min(1).max(128).default('admin'),
  /** Password of that administrator, for all APIs; made up and shown once when absent. Later starts ignore it. */
  CONTINUO_ADMIN_PASSWORD: z.string().min(1).max(1024).optional(),
  /** API key of that administrator; none when absent. Later starts ignore it. */
  CONTINUO_ADMIN_API_KEY: z.string().min(8).max(1024).optional(),
  /** Whether strangers may make accounts (`register`). */
  ALLOW_PUBLIC_REGISTRATION: flag(false),
  /** Whether an account that a stranger made waits until an administrator enables it. */
  REGISTRATION_APPROVAL: flag(true),
  /** Whether an account that a stranger made waits until its address is confirmed; only where mail can be sent. */
  REGISTRATION_CONFIRMATION: flag(true),
  /** Mail server, as `smtp://user:password@host:587` or `smtps://…`; without it no mail is sent, and passwords cannot be recovered. */
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  /** Who mails come from. */
  MAIL_FROM: z.string().default('Continuo <continuo@localhost>'),
  /** Whether mails about lost passwords lead to the account's page, `/account`; the gateway has to be told the same. */
  ACCOUNT_PAGE: flag(true),
  /** How long a token that was mailed is good, hours. */
  MAIL_TOKEN_HOURS: z.coerce.number().min(0.01).max(720).default(2),
  /** How long nobody gets another mail about a lost password after one, minutes. */
  PASSWORD_RECOVERY_PAUSE_MINUTES: z.coerce.number().min(0).max(1440).default(15),
  /** Address under which clients reach the server, for links in mails. A mail never takes it from a request; without it, it holds the token alone. */
  PUBLIC_URL: z.url().optional(),
  ...outboundSettings,
  /** How many webhooks there may be. */
  WEBHOOKS: z.coerce.number().int().min(0).max(1000).default(50),
  /** How long the receiver of a webhook may take to answer. */
  WEBHOOK_TIMEOUT_MS: z.coerce.number().int().min(100).max(25_000).default(15_000),
  /** How often a webhook is tried to be told of an event before that is put aside. */
  WEBHOOK_ATTEMPTS: z.coerce.number().int().min(1).max(20).default(9),
  /** Pause after the first attempt that failed; each further one is three times as long, up to four hours. */
  WEBHOOK_FIRST_RETRY_MS: z.coerce.number().int().min(10).default(5000),
});
export type SocialConfig = z.infer<typeof socialConfig>;

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
