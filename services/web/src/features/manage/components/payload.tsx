import type { ReactNode } from 'react';
import styles from '../manage.module.css';

/** A text as it was sent, which scrolls when it is long. */
export const Payload = ({ text }: { readonly text: string }): ReactNode => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keys
  <pre className={styles['payload']} tabIndex={0}>
    {text}
  </pre>
);
