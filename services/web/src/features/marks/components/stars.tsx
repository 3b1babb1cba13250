import { Star } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import type { Marked, MarkedKind } from '../marked.js';
import { rate } from '../marking.js';
import styles from './stars.module.css';

export const RATINGS = [1, 2, 3, 4, 5] as const;

/** Five stars; the one that is on takes the rating away. */
export const Stars = ({
  kind,
  object,
  name,
  size = 18,
  isInTabOrder = true,
}: {
  readonly kind: MarkedKind;
  readonly object: Marked;
  readonly name: string;
  readonly size?: number;
  readonly isInTabOrder?: boolean;
}): ReactNode => {
  const rating = object.rating ?? 0;
  return (
    <span role="group" aria-label={t.ratingOf(name)} className={styles['stars']}>
      {RATINGS.map((stars) => (
        <button
          key={stars}
          type="button"
          className={styles['star']}
          aria-label={t.starCount(stars)}
          aria-pressed={rating === stars}
          tabIndex={isInTabOrder ? 0 : -1}
          onClick={() => void rate(kind, [object.id], rating === stars ? 0 : stars)}
        >
          <Star size={size} aria-hidden fill={stars <= rating ? 'currentColor' : 'none'} />
        </button>
      ))}
    </span>
  );
};
