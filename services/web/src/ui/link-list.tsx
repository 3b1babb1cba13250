import type { ReactNode } from 'react';
import styles from './link-list.module.css';

/** A list whose items are a link or button and something about it. */
export const LinkList = ({ children }: { readonly children: ReactNode }): ReactNode => <ul className={styles['list']}>{children}</ul>;
