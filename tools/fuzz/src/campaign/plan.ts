/** What a campaign is to do. */
export interface CampaignPlan {
  readonly requests: number;
  /** The same requests for the same number, as far as one does not depend on the answer to another. */
  readonly seed: number;
  /** How many at the same time. */
  readonly lanes: number;
}
