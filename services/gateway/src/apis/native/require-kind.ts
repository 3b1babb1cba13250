import { disabledFeature } from '../../kinds/index.js';
import { featureOff } from './errors/native-fault.js';
import type { CallerCall } from './method.js';
import type { HasConfig } from '../../server/needs.js';

/** Rejects calls about a kind whose feature is off. @throws NativeRefusal 4703 */
export const requireKind = ({ services }: Pick<CallerCall<unknown, HasConfig>, 'services'>, kind: string): void => {
  const feature = disabledFeature(kind, services.config);
  if (feature !== undefined) throw featureOff(feature);
};
