import { Suspense, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useQuery, type QueryKey } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { t } from '../messages/index.js';
import { isAway } from '../lib/api.js';
import { canKeep } from '../lib/offline.js';
import { sentenceOf } from './action.js';
import { PillButton } from './buttons.js';
import styles from './view.module.css';
import { useKeptPosition } from './kept-position.js';

/** A sentence in the place of content. */
export const Notice = ({ children }: { readonly children: ReactNode }): ReactNode => <p className={styles['notice']}>{children}</p>;

/** Why something is not shown, and a way on. */
export const Failure = ({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }): ReactNode => (
  <div className={styles['notice']} role="alert">
    <p>{sentenceOf(error)}</p>
    {onRetry && <PillButton label={t.again} onPress={onRetry} />}
    {canKeep && isAway(error) && (
      <p>
        <a href="#/offline">{t.seeOffline}</a>
      </p>
    )}
  </div>
);

type Listed = readonly unknown[] | { readonly total: number } | object;

/** That an answer of the server is on its way, why it is not there, or that it is an empty list; nothing else. */
export const QueryState = ({
  of: { data, error, refetch },
  emptyText,
}: {
  readonly of: { readonly data: Listed | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly emptyText?: string;
}): ReactNode => {
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Notice>{t.loading}</Notice>;
  const isEmpty = Array.isArray(data) ? data.length === 0 : 'total' in data && data.total === 0;
  return isEmpty && emptyText !== undefined && <Notice>{emptyText}</Notice>;
};

/** The answer of a query, or a note in its place until there is one. */
export const useData = <T extends object>(query: {
  readonly queryKey: QueryKey;
  readonly queryFn: () => Promise<T>;
}): readonly [data: T] | readonly [data: undefined, state: ReactNode] => {
  const answer = useQuery(query);
  return answer.data === undefined ? [undefined, <QueryState key="state" of={answer} />] : [answer.data];
};

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

/** A part of a view below a heading. `isFlush`: what is in it keeps its own distance from the edges. */
export const Section = ({
  title,
  tools,
  isFlush = false,
  children,
}: {
  readonly title: ReactNode;
  readonly tools?: ReactNode;
  readonly isFlush?: boolean;
  readonly children?: ReactNode;
}): ReactNode => (
  <section className={styles[isFlush ? 'flush' : 'section']}>
    <div className={styles['title']}>
      <h2>{title}</h2>
      {tools}
    </div>
    {children}
  </section>
);

/** Fields beside the heading of a view, which filter and order what is below; on phones they scroll sideways. */
export const ToolRow = ({ children }: { readonly children: ReactNode }): ReactNode => <div className={styles['row']}>{children}</div>;

/** Buttons side by side. */
export const Tools = ({ children }: { readonly children: ReactNode }): ReactNode => <div className={styles['tools']}>{children}</div>;

/** Names that lead somewhere, side by side: list items with a link each. */
export const Chips = ({ children }: { readonly children: ReactNode }): ReactNode => <ul className={styles['chips']}>{children}</ul>;

/** A list whose items are a link or button and something about it. */
export const LinkList = ({ children }: { readonly children: ReactNode }): ReactNode => <ul className={styles['list']}>{children}</ul>;

/** Something that leads to a view. */
export interface Leading {
  readonly to: string;
  readonly name: string;
  readonly note?: string;
  readonly icon?: LucideIcon;
}

/** Links with a note about each, below each other or side by side. */
export const Links = ({
  of = [],
  in: List = LinkList,
}: {
  readonly of: readonly Leading[] | undefined;
  readonly in?: typeof LinkList | typeof Chips;
}): ReactNode => (
  <List>
    {of.map(({ to, name, note, icon: Icon }) => (
      <li key={`${to} ${name}`}>
        <Link to={to}>
          {Icon && <Icon size={18} aria-hidden />} {name}
        </Link>
        {note !== undefined && <span>{note}</span>}
      </li>
    ))}
  </List>
);
