import { player } from '../player/index.js';
import { accentsOf } from './accent.js';
import { followLooks, looks } from './looks.js';

/** A cover is looked at in so many pixels across. */
const PX = 24;

const pixelsOf = async (url: string): Promise<Uint8ClampedArray> => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: PX, height: PX });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('the browser draws no pictures');
  context.drawImage(image, 0, 0, PX, PX);
  return context.getImageData(0, 0, PX, PX).data;
};

const wear = (accents: ReturnType<typeof accentsOf>): void => {
  const { style } = document.documentElement;
  for (const theme of ['light', 'dark'] as const)
    if (accents) style.setProperty(`--cover-${theme}`, `rgb(${accents[theme].join(' ')})`);
    else style.removeProperty(`--cover-${theme}`);
};

/** Gives the page the looks that were chosen, and the accent of the cover of what plays where that is wanted. */
export const startLooks = (): void => {
  let worn: string | undefined;
  const follow = (): void => {
    const { current } = player.state().queue;
    const url = looks.current().followsCover && current?.has_art ? current.art : undefined;
    if (url === worn) return;
    worn = url;
    if (url === undefined) return wear(undefined);
    // A cover that cannot be read leaves the accent of the page.
    pixelsOf(`${url}&size=${PX * 4}x${PX * 4}`).then(
      (pixels) => worn === url && wear(accentsOf(pixels)),
      (error: unknown) => {
        console.warn('The cover cannot be read; the accent stays', error);
        if (worn === url) wear(undefined);
      },
    );
  };
  followLooks();
  looks.subscribe(follow);
  player.subscribe(follow);
};
