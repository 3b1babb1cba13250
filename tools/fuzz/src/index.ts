export { runCampaign, type CampaignResult } from './campaign/campaign.js';
export type { CampaignPlan } from './campaign/plan.js';
export { reportOf } from './campaign/report.js';
