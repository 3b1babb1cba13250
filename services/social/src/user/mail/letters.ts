import type { Mail } from './mailer.js';

/** Recipient and subject of a letter. */
export interface Addressee {
  readonly username: string;
  readonly email: string;
}

/** Server data for every letter. */
export interface Sender {
  /** Address of the server without a trailing slash; undefined when it is not configured: then letters hold no links. */
  readonly publicUrl: string | undefined;
  /** Whether people have a page there by which they can act on a mail; else the API takes the token. */
  readonly hasAccountPage: boolean;
}

const hours = (ms: number): string => {
  const count = Math.max(1, Math.round(ms / 3_600_000));
  return count === 1 ? 'one hour' : `${count} hours`;
};

const useToken = (token: string, link: string | undefined): string =>
  link === undefined ? `Your token: ${token}` : `${link}\n\nOr give your player this token: ${token}`;

/** Asks for confirmation of the address that was given at sign-up. */
export const confirmationLetter = (to: Addressee, { publicUrl }: Sender, token: string, lifetimeMs: number): Mail => ({
  to: to.email,
  subject: 'Confirm your address',
  text: `Hello ${to.username},

somebody, probably you, asked for an account with this address on a Continuo server. To confirm it within ${hours(lifetimeMs)}:

${useToken(token, publicUrl && `${publicUrl}/register.php?auth=${token}`)}

If it was not you, do nothing.
`,
});

/** Hands out the token by which another password can be had. */
export const recoveryLetter = (to: Addressee, { publicUrl, hasAccountPage }: Sender, token: string, lifetimeMs: number): Mail => ({
  to: to.email,
  subject: 'A new password',
  text: `Hello ${to.username},

somebody, probably you, asked for a new password on a Continuo server. Nothing has changed yet. To have a new password sent to this address,
within ${hours(lifetimeMs)} and once:

${useToken(token, publicUrl && `${publicUrl}${hasAccountPage ? '/account/recover' : '/rest/8/json/me/lost-password'}?auth=${token}`)}

If it was not you, do nothing: your password stays as it is.
`,
});

/** Tells the new password. */
export const passwordLetter = (to: Addressee, password: string): Mail => ({
  to: to.email,
  subject: 'Your new password',
  text: `Hello ${to.username},

your new password on the Continuo server, if it takes effect, is

${password}

You are logged out everywhere. The password of Subsonic players, if you have one, is still the old one.
`,
});
