import { defencesOf, type Defence } from '../defence.js';

const transcoding = 'transcoding/src';
const bytes = `${transcoding}/http/byte-server.int.spec.ts`;
const plan = `${transcoding}/target/transcode-plan.ts`;

/** Rows 3, 8 and 16, as far as ffmpeg and what it makes are concerned. */
export const transcodeDefences: readonly Defence[] = defencesOf([
  [
    3,
    'fetch what a worker made without an address of its own',
    `${transcoding}/http/byte-server.ts`,
    "if (addresses?.check(request.params.key, until, mark) !== true) return refuse(reply, 403, 'access.denied');",
    '',
    bytes,
  ],
  [3, 'forge the address of a transcode', `${transcoding}/http/signed-address.ts`, ' && isMark(`${key}.${until}`, mark)', '', bytes],
  [3, 'use the address of a transcode for ever', `${transcoding}/http/signed-address.ts`, ' && Number(until) > now()', '', bytes],
  [
    8,
    'make ffmpeg open what a list that calls itself music names',
    plan,
    "  '-format_whitelist',\n  INPUT_FORMATS.join(','),\n",
    '',
    `${transcoding}/work/hostile.int.spec.ts`,
    'texts that call themselves music',
  ],
  [
    8,
    'make ffmpeg open addresses',
    plan,
    "  '-protocol_whitelist',\n  protocolsOf(path),\n",
    '',
    `${transcoding}/target/transcode-plan.unit.spec.ts`,
  ],
  [
    16,
    'run as many ffmpeg as one likes',
    `${transcoding}/slots.ts`,
    'if (this.free <= 0) return undefined;',
    '',
    `${transcoding}/work/transcoder.int.spec.ts`,
    'are refused when there are none',
  ],
]);
