import { baseConfig, type Environment } from '@continuo/chassis';
import { z } from 'zod';

/** Settings of the social service. */
export const socialConfig = baseConfig.extend({
  /** Name of the administrator made at the very first start. */
  CONTINUO_ADMIN_USER: z.string().trim().min(1).max(128).default('admin'),
  /** Password of that administrator, for all APIs; made up and shown once when absent. Later starts ignore it. */
  CONTINUO_ADMIN_PASSWORD: z.string().min(1).max(1024).optional(),
  /** API key of that administrator; none when absent. Later starts ignore it. */
  CONTINUO_ADMIN_API_KEY: z.string().min(8).max(1024).optional(),
});
export type SocialConfig = z.infer<typeof socialConfig>;

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
