/**
 * The secrets that a server has had. Log and tables hold what was made under each of them, and cannot be written anew: whoever replaces the secret of the settings
 * adds one, and what the others made stays readable ([why so](../../../../docs/decisions/0059-earlier-secrets-are-kept-in-a-key-ring.md)).
 */
export interface KeyRing {
  /** Under which new things are sealed and signed. */
  readonly current: string;
  /** All of them, the current one first. */
  readonly all: readonly string[];
  /** The first of all: what the log knows by a digest keeps it, or no name would be found again. */
  readonly founding: string;
  /** Keys with valid signatures: the current one, and for two days the one before it. */
  signing(): readonly string[];
}

/** A ring, or the only secret there is (in specs, and of programs beside the services). */
export type ServerSecret = string | KeyRing;

/** The ring that a secret is alone in. */
export const keyRingOf = (secret: ServerSecret): KeyRing =>
  typeof secret === 'string' ? { current: secret, all: [secret], founding: secret, signing: () => [secret] } : secret;
