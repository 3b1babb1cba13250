/** Encrypts small secrets under a key (AES-256-GCM); the sealed form is `v1.<iv>.<ciphertext>.<tag>` in base64url. */
export interface Sealer {
  seal(plain: string): string;
  /** @throws Error when the text was sealed under another key or was changed. */
  open(sealed: string): string;
}
