/** A rate that a client asks for: kbit/s for everything together, and for a video the box that its picture is fitted into. */
export interface WantedRate {
  /** 0 for no limit. */
  readonly kbps: number;
  readonly box?: { readonly widthPx: number; readonly heightPx: number };
}

const WANTED = /^(\d{1,6})(?:@(\d{1,5})x(\d{1,5}))?$/i;
const SMALLEST_PX = 16;
const WIDEST_PX = 7680;
const TALLEST_PX = 4320;

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** Reads `1000` or `1000@480x360`; undefined for anything else. */
export const wantedRate = (text: string): WantedRate | undefined => {
  const [, kbps, width, height] = WANTED.exec(text.trim()) ?? [];
  if (kbps === undefined) return undefined;
  if (width === undefined || height === undefined) return { kbps: Number(kbps) };
  if (Number(width) < SMALLEST_PX || Number(height) < SMALLEST_PX) return undefined;
  return { kbps: Number(kbps), box: { widthPx: Math.min(WIDEST_PX, Number(width)), heightPx: Math.min(TALLEST_PX, Number(height)) } };
};

/** Properties of the sound of a medium. */
export interface SourceSound {
  /** 0 when it is unknown. */
  readonly kbps: number;
  readonly lossless: boolean;
}

const LEAST_SOUND_KBPS = 32;
const MOST_SOUND_KBPS = 320;
const LOSSLESS_AS_KBPS = 256;
const USUAL_SOUND_KBPS = 160;

/** Rate of the AAC that a song is played in: what was asked for, and never more than the source has to say or the account is sent. */
export const soundRate = ({ kbps }: WantedRate, source: SourceSound, limitKbps = Number.POSITIVE_INFINITY): number => {
  const enough = source.lossless ? LOSSLESS_AS_KBPS : source.kbps || USUAL_SOUND_KBPS;
  return within(Math.min(kbps || enough, enough, limitKbps), LEAST_SOUND_KBPS, MOST_SOUND_KBPS);
};

/** Properties of the picture of a video. */
export interface SourcePicture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Of everything together; 0 when it is unknown. */
  readonly kbps: number;
  readonly hasSound: boolean;
}

/** Bitrates and picture size of a video variant. */
export interface VideoRate {
  readonly soundKbps: number;
  readonly picture: { readonly widthPx: number; readonly heightPx: number; readonly kbps: number };
}

/** Sound and box that suit a total rate: rows of up to so many kbit/s. */
const ladder = [
  { upToKbps: 200, soundKbps: 32, widthPx: 320, heightPx: 240 },
  { upToKbps: 450, soundKbps: 48, widthPx: 426, heightPx: 240 },
  { upToKbps: 900, soundKbps: 64, widthPx: 640, heightPx: 360 },
  { upToKbps: 1800, soundKbps: 96, widthPx: 854, heightPx: 480 },
  { upToKbps: 4000, soundKbps: 128, widthPx: 1280, heightPx: 720 },
  { upToKbps: 9000, soundKbps: 160, widthPx: 1920, heightPx: 1080 },
  { upToKbps: Number.POSITIVE_INFINITY, soundKbps: 192, widthPx: 3840, heightPx: 2160 },
] as const;

/** Default bitrate: as much as the source has, within what one encoder makes in the time that it plays. */
const MOST_UNASKED_KBPS = 8000;
const LEAST_UNASKED_KBPS = 700;
const LEAST_PICTURE_KBPS = 64;
const MOST_PICTURE_KBPS = 100_000;

/** Even sides, as H.264 wants them. */
const even = (px: number): number => Math.max(2, Math.round(px / 2) * 2);

/** The size of a picture that is fitted into a box and never enlarged. */
export const fitted = (
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
  box: { readonly widthPx: number; readonly heightPx: number },
): { widthPx: number; heightPx: number } => {
  const scale = Math.min(1, box.widthPx / widthPx, box.heightPx / heightPx);
  return { widthPx: even(widthPx * scale), heightPx: even(heightPx * scale) };
};

/** A rate at which a picture of a size looks well. */
const enoughFor = ({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }): number =>
  ladder.find((step) => widthPx * heightPx <= step.widthPx * step.heightPx)?.upToKbps ?? MOST_UNASKED_KBPS;

/** Divides a bitrate between sound and picture, in a fitting picture size unless one was requested. */
export const videoRate = ({ kbps, box }: WantedRate, source: SourcePicture, limitKbps = Number.POSITIVE_INFINITY): VideoRate => {
  const unasked = within(source.kbps || MOST_UNASKED_KBPS / 2, LEAST_UNASKED_KBPS, MOST_UNASKED_KBPS);
  const requested = kbps || Math.min(unasked, box ? enoughFor(fitted(source, box)) : unasked);
  const total = Math.min(requested, limitKbps);
  const step = ladder.find(({ upToKbps }) => total <= upToKbps) ?? ladder[ladder.length - 1] ?? ladder[0];
  const soundKbps = source.hasSound ? step.soundKbps : 0;
  const room = box ?? (kbps === 0 && total === requested ? source : step);
  return {
    soundKbps: step.soundKbps,
    picture: { ...fitted(source, room), kbps: within(total - soundKbps, LEAST_PICTURE_KBPS, MOST_PICTURE_KBPS) },
  };
};
