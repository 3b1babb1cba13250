import { keyedDigest, sameText } from '@continuo/chassis';

/** Marks forms as the server's own (threats.md row 12): another site can make a browser send a form, but does not know its mark. */
export interface FormTokens {
  /** The mark for forms of a browser; `bearer` is a secret that only its cookie holds. */
  of(bearer: string): string;
  /** True for the mark of this bearer. */
  isOf(bearer: string | undefined, mark: string | undefined): boolean;
}

/** Marks under a key derived from the server's secret. */
export const formTokens = (secret: string): FormTokens => {
  const digest = keyedDigest(secret, 'web-forms/v1');
  return {
    of: digest,
    isOf: (bearer, mark) => bearer !== undefined && mark !== undefined && sameText(digest(bearer), mark),
  };
};
