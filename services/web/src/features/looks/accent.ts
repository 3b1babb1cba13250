type Rgb = readonly [red: number, green: number, blue: number];

/** Contrast that the accent keeps to the ground, so that it can be read as text beside other shades, too (WCAG AA asks for 4.5). */
const CONTRAST = 5.5;
const GROUNDS = { light: [251, 250, 252], dark: [28, 30, 36] } as const satisfies Readonly<Record<string, Rgb>>;
const MIN_SATURATION = 0.2;
const MAX_SATURATION = 0.75;
const STEPS = 100;

const luminance = (rgb: Rgb): number => {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Contrast of two colours as WCAG defines it, 1 to 21. */
export const contrastOf = (one: Rgb, other: Rgb): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

/** Hue in degrees, and saturation and value from 0 to 1. */
const hsvOf = ([red, green, blue]: Rgb): readonly [hue: number, saturation: number, value: number] => {
  const high = Math.max(red, green, blue);
  const range = high - Math.min(red, green, blue);
  if (range === 0) return [0, 0, high / 255];
  const sector = high === red ? ((green - blue) / range + 6) % 6 : high === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return [sector * 60, range / high, high / 255];
};

const rgbOf = (hue: number, saturation: number, lightness: number): Rgb => {
  const spread = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number): number => {
    const at = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - spread * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [part(0), part(8), part(4)];
};

/** The hue that a picture has most of, weighed by how colourful it is; undefined for one without colours. */
const hueOf = (pixels: ArrayLike<number>): { readonly hue: number; readonly saturation: number } | undefined => {
  let [x, y, weight, colour] = [0, 0, 0, 0];
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const [hue, saturation, value] = hsvOf([pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0]);
    const share = saturation * value;
    x += Math.cos((hue * Math.PI) / 180) * share;
    y += Math.sin((hue * Math.PI) / 180) * share;
    weight += share;
    colour += saturation * share;
  }
  if (weight === 0 || colour / weight < MIN_SATURATION) return undefined;
  return { hue: ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360, saturation: Math.min(MAX_SATURATION, colour / weight) };
};

/** Accents of a picture for the light and the dark theme, each as far from the ground as text must be; undefined for a picture without colours. @param pixels red, green, blue and alpha of each */
export const accentsOf = (pixels: ArrayLike<number>): Readonly<Record<keyof typeof GROUNDS, Rgb>> | undefined => {
  const found = hueOf(pixels);
  if (!found) return undefined;
  const accent = (theme: keyof typeof GROUNDS): Rgb => {
    const shades = Array.from({ length: STEPS + 1 }, (_, step) => (theme === 'light' ? STEPS - step : step) / STEPS);
    const fits = shades
      .map((shade) => rgbOf(found.hue, found.saturation, shade))
      .find((rgb) => contrastOf(rgb, GROUNDS[theme]) >= CONTRAST);
    return fits ?? (theme === 'light' ? [0, 0, 0] : [255, 255, 255]);
  };
  return { light: accent('light'), dark: accent('dark') };
};
