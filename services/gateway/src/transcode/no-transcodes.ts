import { Rejection } from '@continuo/contracts';
import type { Transcodes } from './transcodes.js';

/** Transcodes where there is no worker to ask: everything is refused as unavailable. */
export const noTranscodes: Transcodes = {
  open: async () => {
    throw new Rejection('unavailable', 'no transcoding worker answers');
  },
};
