import { watched } from '../../lib/watched.js';

const KEPT = 'continuo-looks';

/** How the page looks in this browser. */
export interface Looks {
  readonly theme: 'system' | 'light' | 'dark';
  readonly contrast: 'system' | 'more';
  /** Takes the accent from the cover of what plays. */
  readonly followsCover: boolean;
}

const USUAL: Looks = { theme: 'system', contrast: 'system', followsCover: false };
const strong = matchMedia('(prefers-contrast: more)');

/** Theme and accent chosen in this browser. */
export const looks = watched<Looks>({ ...USUAL, ...(JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Looks>) });

const show = (): void => {
  const { theme, contrast } = looks.current();
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  if (contrast === 'more' || strong.matches) dataset['contrast'] = 'more';
  else delete dataset['contrast'];
};

/** Keeps and shows other looks. */
export const setLooks = (changes: Partial<Looks>): void => {
  looks.set({ ...looks.current(), ...changes });
  localStorage.setItem(KEPT, JSON.stringify(looks.current()));
};

/** Shows the chosen looks; they follow the system where they are to. */
export const followLooks = (): void => {
  show();
  strong.addEventListener('change', show);
  looks.subscribe(show);
};
