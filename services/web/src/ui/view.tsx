import { Suspense, useLayoutEffect, useRef, type ReactNode } from 'react';
import { t } from '../messages/index.js';
import { useKeptPosition } from './kept-position.js';
import { Notice } from './states.js';
import styles from './view.module.css';

/** A view with a heading. `fills` gives the content the height that is left, for lists that scroll themselves. */
export const View = ({
  title,
  tools,
  fills = false,
  children,
}: {
  readonly title: string;
  readonly tools?: ReactNode;
  readonly fills?: boolean;
  readonly children?: ReactNode;
}): ReactNode => {
  const element = useRef<HTMLDivElement>(null);
  const { get, set } = useKeptPosition(title);
  useLayoutEffect(() => {
    if (element.current && !fills) element.current.scrollTop = get();
  }, [fills, get]);
  return (
    <div ref={element} className={fills ? styles['filled'] : styles['view']} onScroll={({ currentTarget }) => set(currentTarget.scrollTop)}>
      <header className={styles['head']}>
        <h1>{title}</h1>
        {tools}
      </header>
      <div className={styles['body']}>
        {/* The heading stays while a part below it is loaded. */}
        <Suspense fallback={<Notice>{t.loading}</Notice>}>{children}</Suspense>
      </div>
    </div>
  );
};
