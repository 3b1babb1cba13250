import type { ReactNode } from 'react';
import styles from './tool-row.module.css';

/** Fields beside the heading of a view, which filter and order what is below; on phones they scroll sideways. */
export const ToolRow = ({ children }: { readonly children: ReactNode }): ReactNode => <div className={styles['row']}>{children}</div>;
