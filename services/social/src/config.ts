import { baseConfig, flag, outboundSettings, type Environment } from '@continuo/chassis';
import { z } from 'zod';

const KEY_CHARACTERS = 16;
const KEY_BITS = 48;

/** Shannon's estimate of what a text holds, bits: it is low for one that repeats a few characters. */
const estimatedBits = (text: string): number => {
  const counts = [...Map.groupBy(text, (character) => character).values()].map(({ length }) => length);
  return counts.reduce((sum, count) => sum + count * Math.log2(text.length / count), 0);
};

/** Settings of the social service. */
export const socialConfig = baseConfig.extend({
  /** Name of the administrator made at the very first start. */
  CONTINUO_ADMIN_USER: z.string().trim().min(1).max(128).default('admin'),
  /** Password of that administrator, for all APIs; made up and shown once when absent. Later starts ignore it. */
  CONTINUO_ADMIN_PASSWORD: z.string().min(1).max(1024).optional(),
  /** API key of that administrator; none when absent. Too short a key, or one of few different characters, is refused at each start, although later ones ignore it otherwise. */
  CONTINUO_ADMIN_API_KEY: z
    .string()
    .min(KEY_CHARACTERS, `needs at least ${KEY_CHARACTERS} characters, because it opens everything; make one with: openssl rand -hex 32`)
    .max(1024)
    .refine((key) => key.length < KEY_CHARACTERS || estimatedBits(key) >= KEY_BITS, {
      message: 'is too easy to guess: it has too few different characters; make one with: openssl rand -hex 32',
    })
    .optional(),
  /** Allows anybody to sign up (`register`). */
  ALLOW_PUBLIC_REGISTRATION: flag(false),
  /** Keeps a new sign-up disabled until an administrator enables it. */
  REGISTRATION_APPROVAL: flag(true),
  /** Keeps a new sign-up disabled until its address is confirmed; only where mail can be sent. */
  REGISTRATION_CONFIRMATION: flag(true),
  /** Mail server, as `smtp://user:password@host:587` or `smtps://…`; without it no mail is sent, and passwords cannot be recovered. */
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  /** Sender of mails. */
  MAIL_FROM: z.string().default('Continuo <continuo@localhost>'),
  /** Makes mails about lost passwords link to the account's page, `/account`; the gateway needs the same setting. */
  ACCOUNT_PAGE: flag(true),
  /** Validity of a mailed token, hours. */
  MAIL_TOKEN_HOURS: z.coerce.number().min(0.01).max(720).default(2),
  /** Pause before an account gets another mail about a lost password, minutes. */
  PASSWORD_RECOVERY_PAUSE_MINUTES: z.coerce.number().min(0).max(1440).default(15),
  /** Address under which clients reach the server, for links in mails. A mail never takes it from a request; without it, it holds the token alone. */
  PUBLIC_URL: z.url().optional(),
  ...outboundSettings,
  /** Largest number of shares of an account. */
  SHARES_PER_ACCOUNT: z.coerce.number().int().min(1).max(1_000_000).default(1000),
  /** Largest number of API keys of an account. */
  API_KEYS_PER_ACCOUNT: z.coerce.number().int().min(1).max(10_000).default(100),
  /** Largest number of webhooks. */
  WEBHOOKS: z.coerce.number().int().min(0).max(1000).default(50),
  /** Timeout of the receiver of a webhook, ms. */
  WEBHOOK_TIMEOUT_MS: z.coerce.number().int().min(100).max(25_000).default(15_000),
  /** Delivery attempts of an event to a webhook before the event is put aside. */
  WEBHOOK_ATTEMPTS: z.coerce.number().int().min(1).max(20).default(9),
  /** Pause after the first attempt that failed; each further one is three times as long, up to four hours. */
  WEBHOOK_FIRST_RETRY_MS: z.coerce.number().int().min(10).default(5000),
});
export type SocialConfig = z.infer<typeof socialConfig>;

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
