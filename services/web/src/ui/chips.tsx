import type { ReactNode } from 'react';
import styles from './chips.module.css';

/** Names that lead somewhere, side by side: list items with a link each. */
export const Chips = ({ children }: { readonly children: ReactNode }): ReactNode => <ul className={styles['chips']}>{children}</ul>;
