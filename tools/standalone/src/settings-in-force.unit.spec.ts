import { isSecretSetting, maskedSettings } from '@continuo/chassis';
import { gatewayService } from '@continuo/gateway';
import { ingestionService } from '@continuo/ingestion';
import { libraryService } from '@continuo/library';
import { playbackService } from '@continuo/playback';
import { createSocialService } from '@continuo/social';
import { sonicService } from '@continuo/sonic';
import { transcodingService } from '@continuo/transcoding';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const services = [
  gatewayService,
  libraryService,
  createSocialService({ onFirstAdministrator: () => undefined }),
  ingestionService,
  playbackService,
  transcodingService,
  sonicService,
];
const namesOf = (schema: unknown): string[] => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
const PLANTED = 'planted-in-a-setting';

/** Every setting that holds a secret as a whole. A new one belongs here, or its name does not say what it is. */
const SECRETS = [
  'CONTINUO_ADMIN_API_KEY',
  'CONTINUO_ADMIN_PASSWORD',
  'CONTINUO_SECRET',
  'CONTINUO_SECRET_PREVIOUS',
  'LASTFM_API_KEY',
  'LASTFM_API_SECRET',
  'MEILI_KEY',
  'MPD_PASSWORD',
  'NATS_PASSWORD',
  'OIDC_CLIENT_SECRET',
  'OPERATOR_SECRET',
  'PLUGIN_SETTINGS',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
];

describe('settings in force', () => {
  const all = new Set(services.flatMap(({ config }) => namesOf(config)));

  it('know every setting that is a secret', () => {
    expect([...all].filter(isSecretSetting).toSorted()).toEqual(SECRETS);
  });

  it.each(services)('of $name show no secret, whichever setting holds it', ({ config }) => {
    const isAddress = (name: string): boolean => /URL|ENDPOINT|ISSUER/.test(name);
    for (const name of namesOf(config).filter((one) => isAddress(one) || SECRETS.includes(one))) {
      const text = isAddress(name) ? `https://user:${PLANTED}@host.example/?api_key=${PLANTED}` : PLANTED;
      const shown = JSON.stringify(maskedSettings(config, { [name]: text }, { env: { [name]: text } }));
      expect(shown).not.toContain(PLANTED);
    }
  });
});
