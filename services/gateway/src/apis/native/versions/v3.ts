import { fieldNode, objectNode } from '../../../render/index.js';
import type { NativeFault } from '../errors/fault.js';
import type { VersionPolicy } from './policy.js';
import { OF_LISTS, v4 } from './v4.js';

/** Message for a missing access level: version 3 has one code for all errors of a call. */
const TOO_LOW = 'User does not have access to this function';

const error: VersionPolicy['error'] = (fault: NativeFault, action, format) => {
  // Version 4 already has that code for lists of others.
  const isTooLow = fault.code === 4742 && fault.message.startsWith('Require: ') && !OF_LISTS.test(action);
  return v4.error(isTooLow ? { ...fault, code: 4701, message: TOO_LOW } : fault, action, format);
};

/** Version 3, XML only: an empty success, and fields that its rows leave out. */
export const v3: VersionPolicy = {
  ...v4,
  version: 3,
  api: { dotted: '390001', numeric: '390001' },
  profile: { ...v4.profile, version: 3 },
  success: () => objectNode([fieldNode('success', null)]),
  error,
};
