import { z } from 'zod';
import { parseRanges, type AddressRange } from './public-address.js';

const rangesOf = (text: string, context: z.RefinementCtx): readonly AddressRange[] => {
  try {
    return parseRanges(text.split(',').flatMap((part) => part.trim() || []));
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
    return z.NEVER;
  }
};

/** Settings of services that fetch from addresses which somebody names. */
export const outboundSettings = {
  /** Private networks that requests to named addresses (webhooks, radio stations) may reach all the same: addresses or networks, separated by commas. */
  OUTBOUND_ALLOWED_NETWORKS: z.string().default('').transform(rangesOf),
};
