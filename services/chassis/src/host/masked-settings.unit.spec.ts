import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isSecretSetting, maskedSettings } from './masked-settings.js';

const schema = z.object({
  DATABASE_URL: z.string(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  PORT: z.coerce.number().default(8080),
  CLIENTS: z
    .string()
    .default('a,b')
    .transform((text) => new Set(text.split(','))),
  PUBLIC_URL: z.string().optional(),
});

describe('settings in force', () => {
  it('tell values with their source, defaults as they are used', () => {
    const env = { PORT: '45', DATABASE_URL: 'postgres://db/x', CONTINUO_OTHER: 'not of this service' };
    const config = schema.parse(env);
    expect(maskedSettings(schema, config, { env, sources: { DATABASE_URL: 'computed' } })).toEqual([
      { name: 'CLIENTS', value: 'a,b', source: 'default', isSecret: false },
      { name: 'DATABASE_URL', value: 'postgres://db/x', source: 'computed', isSecret: false },
      { name: 'OIDC_CLIENT_SECRET', value: null, source: 'default', isSecret: true },
      { name: 'PORT', value: '45', source: 'environment', isSecret: false },
      { name: 'PUBLIC_URL', value: null, source: 'default', isSecret: false },
    ]);
  });

  it.each([
    'CONTINUO_SECRET',
    'CONTINUO_SECRET_PREVIOUS',
    'NATS_PASSWORD',
    'OIDC_CLIENT_SECRET',
    'MEILI_KEY',
    'S3_SECRET_ACCESS_KEY',
    'S3_ACCESS_KEY_ID',
    'LASTFM_API_KEY',
    'LASTFM_API_SECRET',
    'MPD_PASSWORD',
    'CONTINUO_ADMIN_PASSWORD',
    'CONTINUO_ADMIN_API_KEY',
    'PLUGIN_SETTINGS',
  ])('masks %s', (name) => expect(isSecretSetting(name)).toBe(true));

  it.each([
    'NATS_CREDS_FILE',
    'NATS_TLS_KEY_FILE',
    'CONTINUO_SECRET_LOST',
    'MAIL_TOKEN_HOURS',
    'COMPAT_TOKEN_LOGIN',
    'COMPAT_PASSWORD_LOGIN',
    'API_KEYS_PER_ACCOUNT',
    'PASSWORD_RECOVERY_PAUSE_MINUTES',
  ])('shows %s', (name) => expect(isSecretSetting(name)).toBe(false));

  it('masks logins and keys in addresses, wherever they stand', () => {
    const env = {
      DATABASE_URL: 'postgres://app:planted/se,cret@db:5432/x?sslmode=require&password=planted-too',
      PUBLIC_URL: 'a=https://user:planted-here@one.example,https://planted@two.example/x',
    };
    const shown = JSON.stringify(maskedSettings(schema, schema.parse(env), { env }));
    expect(shown).not.toContain('planted');
    expect(shown).toContain('db:5432/x?sslmode=require');
    expect(shown).toContain('two.example');
  });
});
