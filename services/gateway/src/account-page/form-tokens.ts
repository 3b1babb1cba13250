import { signer, type ServerSecret } from '@continuo/chassis';

/** Marks forms as the server's own (threats.md row 12): another site can make a browser send a form, but does not know its mark. */
export interface FormTokens {
  /** The mark for forms of a browser; `bearer` is a secret that only its cookie holds. */
  of(bearer: string): string;
  /** True for the mark of this bearer. */
  isOf(bearer: string | undefined, mark: string | undefined): boolean;
}

/** Marks under a key derived from the server's secret. */
export const formTokens = (secret: ServerSecret): FormTokens => {
  const { mark: of, isMark } = signer(secret, 'web-forms/v1');
  return {
    of,
    isOf: (bearer, mark) => bearer !== undefined && mark !== undefined && isMark(bearer, mark),
  };
};
