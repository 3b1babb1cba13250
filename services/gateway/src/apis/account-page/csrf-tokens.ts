import { signer, type ServerSecret } from '@continuo/chassis';

/** CSRF tokens of forms: another site can make a browser send a form, but does not know its token. */
export interface CsrfTokens {
  /** The CSRF token for forms of a browser; `bearer` is the secret in its cookie. */
  of(bearer: string): string;
  /** True for the CSRF token of this bearer. */
  isOf(bearer: string | undefined, csrfToken: string | undefined): boolean;
}

/** CSRF tokens signed with a key that is derived from the server's secret. */
export const csrfTokens = (secret: ServerSecret): CsrfTokens => {
  const { mark: of, isMark } = signer(secret, 'web-forms/v1');
  return {
    of,
    isOf: (bearer, csrfToken) => bearer !== undefined && csrfToken !== undefined && isMark(bearer, csrfToken),
  };
};
