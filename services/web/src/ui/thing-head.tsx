import type { ReactNode } from 'react';
import { Art } from './art.js';
import styles from './thing-head.module.css';

const ART_PX = 220;

/** Picture, name and facts of a thing above its songs. */
export const ThingHead = ({
  art,
  name,
  children,
}: {
  /** Omitted for no room for one. */
  readonly art?: { readonly url: string; readonly has: boolean } | undefined;
  readonly name: string;
  readonly children: ReactNode;
}): ReactNode => (
  <header className={styles['head']}>
    {art && (
      <span className={styles['art']}>
        <Art {...art} px={ART_PX} />
      </span>
    )}
    <div className={styles['facts']}>
      <h1>{name}</h1>
      {children}
    </div>
  </header>
);
