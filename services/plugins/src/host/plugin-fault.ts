/** Why a plug-in gave no answer. */
export type PluginFaultKind =
  /** It threw, or its service did not answer. */
  | 'failed'
  | 'timeout'
  /** Its service may not be asked so often; that says nothing against it. */
  | 'busy'
  /** It failed so often that it is left alone for a while. */
  | 'resting'
  /** It cannot be started, or the server is stopping. */
  | 'not-running';

/** A question to a plug-in that came to nothing. The message names the plug-in. */
export class PluginFault extends Error {
  override readonly name = 'PluginFault';
  readonly kind: PluginFaultKind;

  constructor(kind: PluginFaultKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
