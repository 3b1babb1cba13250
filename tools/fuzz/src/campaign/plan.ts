/** Plan of a campaign. */
export interface CampaignPlan {
  readonly requests: number;
  /** The same requests for the same number, as far as one does not depend on the answer to another. */
  readonly seed: number;
  /** Number of parallel lanes. */
  readonly lanes: number;
}
