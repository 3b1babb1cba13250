/** An error as the native API reports it. */
export interface NativeFault {
  readonly code: number;
  /** Subject: `system`, `account`, or the name of the parameter. */
  readonly type: string;
  readonly message: string;
  /** Present where a version tells these apart from other errors of the same code. */
  readonly because?: 'taken';
}
