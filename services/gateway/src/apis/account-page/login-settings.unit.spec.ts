import { describe, expect, it } from 'vitest';
import { checkLoginSettings } from './login-settings.js';

const nothing = {
  OIDC_ISSUER: undefined,
  OIDC_CLIENT_ID: undefined,
  PUBLIC_URL: undefined,
  PROXY_LOGIN_HEADER: undefined,
  TRUSTED_PROXIES: [],
};
const proxy = { PROXY_LOGIN_HEADER: 'remote-user', TRUSTED_PROXIES: ['10.0.0.1'] };
const provider = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'continuo', PUBLIC_URL: 'https://music.example' };

describe('settings of logins', () => {
  it.each([
    [{ ...proxy, TRUSTED_PROXIES: [] }, 'PROXY_LOGIN_HEADER needs TRUSTED_PROXIES'],
    [{ ...proxy, PROXY_LOGIN_HEADER: 'user-agent' }, 'header not allowed for authentication'],
    [{ ...provider, OIDC_CLIENT_ID: undefined }, 'OIDC_ISSUER needs OIDC_CLIENT_ID'],
    [{ ...provider, PUBLIC_URL: undefined }, 'OIDC_ISSUER needs PUBLIC_URL'],
    [{ ...provider, OIDC_ISSUER: 'http://id.example' }, 'has to begin with https://'],
    [{ ...provider, OIDC_ISSUER: 'http://127.0.0.1.example' }, 'has to begin with https://'],
  ])('by which somebody else could log in are refused: %o', (settings, sentence) => {
    expect(() => checkLoginSettings({ ...nothing, ...settings })).toThrow(sentence);
  });

  it.each([nothing, proxy, provider, { ...provider, ...proxy, OIDC_ISSUER: 'http://127.0.0.1:4000' }])('are taken: %o', (settings) => {
    expect(() => checkLoginSettings({ ...nothing, ...settings })).not.toThrow();
  });
});
