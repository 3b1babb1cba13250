import { useState, type ReactNode } from 'react';
import { Disc3 } from 'lucide-react';
import styles from './art.module.css';

/** A cover, or a sign in its place where there is none or it does not load. Decoration: its object is named beside it. */
export const Art = ({ url, has, px }: { readonly url: string; readonly has: boolean; readonly px: number }): ReactNode => {
  const [failed, setFailed] = useState<string>();
  if (!has || failed === url)
    return (
      <span className={styles['none']}>
        <Disc3 aria-hidden size={Math.round(px / 3)} />
      </span>
    );
  return (
    <img
      className={styles['art']}
      src={`${url}&size=${px * 2}x${px * 2}`}
      width={px}
      height={px}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setFailed(url)}
    />
  );
};
