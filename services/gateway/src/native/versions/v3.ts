import { fieldNode, objectNode } from '../../render/index.js';
import type { NativeFault } from '../errors/native-fault.js';
import type { VersionPolicy } from './policy.js';
import { v4 } from './v4.js';

/** Refused for lack of a level: version 3 has one code for everything that is wrong with a call. */
const TOO_LOW = 'User does not have access to this function';

const error: VersionPolicy['error'] = (fault: NativeFault, action, format) => {
  const isTooLow = fault.code === 4742 && fault.message.startsWith('Require: ');
  return v4.error(isTooLow ? { ...fault, code: 4701, message: TOO_LOW } : fault, action, format);
};

/** Version 3, in XML alone: an empty success, and fields that its rows leave out (versions.md sections 3.4, 4 and 7.5). */
export const v3: VersionPolicy = {
  ...v4,
  version: 3,
  api: { dotted: '390001', numeric: '390001' },
  profile: { ...v4.profile, version: 3 },
  success: () => objectNode([fieldNode('success', null)]),
  error,
};
