/** The second argument of everything that a plug-in is asked. */
export interface PluginCall {
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}
