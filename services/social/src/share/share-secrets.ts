import { sha256Hex, signer, type Sealer, type ServerSecret } from '@continuo/chassis';

/** 160 bits in hexadecimal. */
const SECRET_LENGTH = 40;

/** Stored form of a share's secret. */
export interface KeptSecret {
  readonly secretSha256: string;
  readonly sealedSecret: string;
}

/** Makes the secrets of shares. */
export interface ShareSecrets {
  /** The secret of the share that a command makes; a retried command gets the same one. */
  of(commandId: string): KeptSecret;
}

/** Secrets under a key derived from the server's: nobody without it can guess one. */
export const shareSecrets = ({ secret, sealer }: { readonly secret: ServerSecret; readonly sealer: Sealer }): ShareSecrets => {
  const { mark } = signer(secret, 'share-secrets/v1');
  return {
    of: (commandId) => {
      const text = mark(commandId).slice(0, SECRET_LENGTH);
      return { secretSha256: sha256Hex(text), sealedSecret: sealer.seal(text) };
    },
  };
};
