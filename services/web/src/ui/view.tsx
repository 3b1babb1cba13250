import type { ReactNode } from 'react';
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
  readonly children: ReactNode;
}): ReactNode => (
  <div className={fills ? styles['filled'] : styles['view']}>
    <header className={styles['head']}>
      <h1>{title}</h1>
      {tools}
    </header>
    <div className={styles['body']}>{children}</div>
  </div>
);
