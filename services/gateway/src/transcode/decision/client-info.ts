import { Rejection } from '@continuo/contracts';
import { z } from 'zod';

const MOST = 200;
const word = z.string().max(200);
const list = <T extends z.ZodType>(of: T) =>
  z
    .array(of)
    .max(MOST)
    .nullish()
    .transform((all) => all ?? []);
const words = list(word);
/** 0, nothing and null alike: no limit. */
const ceiling = z
  .number()
  .min(0)
  .max(1e9)
  .nullish()
  .transform((value) => (value ? value : undefined));

/** One of the words that the protocol has for something, in any letter case. Any other is an error: a client that is not understood must not be guessed at. */
const oneOf = <W extends string>(...known: readonly W[]) =>
  word.transform((text, context): W => {
    const found = known.find((one) => one.toLowerCase() === text.toLowerCase());
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', message: `cannot be ${JSON.stringify(text)}` });
    return z.NEVER;
  });

/** Transports; an empty one, or a star, means any. */
const protocol = oneOf('http', 'hls', '*', '');
const protocols = list(protocol);

const directPlayProfile = z.object({ containers: words, audioCodecs: words, protocols, maxAudioChannels: ceiling });
const transcodingProfile = z.object({ container: word, audioCodec: word, protocol, maxAudioChannels: ceiling });
const limitation = z.object({
  name: word,
  comparison: oneOf('Equals', 'NotEquals', 'LessThanEqual', 'GreaterThanEqual'),
  values: z.array(z.union([word, z.number().transform(String), z.boolean().transform(String)])).max(MOST),
  required: z.boolean().default(false),
});
const codecProfile = z.object({ type: word, name: word, limitations: z.array(limitation).max(MOST).default([]) });

/** Playback capabilities of a client (OpenSubsonic `ClientInfo`). Bit rates in bits per second. */
const clientInfo = z.object({
  name: word,
  platform: word,
  maxAudioBitrate: ceiling,
  maxTranscodingAudioBitrate: ceiling,
  directPlayProfiles: list(directPlayProfile),
  transcodingProfiles: list(transcodingProfile),
  codecProfiles: list(codecProfile),
});
export type ClientInfo = z.output<typeof clientInfo>;
export type DirectPlayProfile = ClientInfo['directPlayProfiles'][number];
export type TranscodingProfile = ClientInfo['transcodingProfiles'][number];
export type Limitation = z.output<typeof limitation>;

/**
 * Reads what a client says of itself.
 * @throws Rejection `input.missing` or `input.invalid` that names the first field at fault
 */
export const readClientInfo = (body: unknown): ClientInfo => {
  const parsed = clientInfo.safeParse(body);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path ?? [];
  const field = path.join('.');
  const isMissing = path.length === 1 && typeof body === 'object' && body !== null && !Object.hasOwn(body, String(path[0]));
  if (isMissing) throw new Rejection('input.missing', `Required field is missing in the body: ${field}`, field);
  throw new Rejection('input.invalid', `The body has an unusable value: ${field}`, field);
};
