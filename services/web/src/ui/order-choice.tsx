import type { ReactNode } from 'react';
import { t } from '../messages/index.js';

/** Chooses the order of a list. */
export const OrderChoice = <O extends string>({
  orders,
  names,
  chosen,
  isDisabled = false,
  onChoose,
}: {
  readonly orders: readonly O[];
  readonly names: Readonly<Record<O, string>>;
  readonly chosen: O;
  readonly isDisabled?: boolean;
  readonly onChoose: (order: O | undefined) => void;
}): ReactNode => (
  <select
    aria-label={t.order}
    value={chosen}
    disabled={isDisabled}
    onChange={({ target }) => onChoose(orders.find((one) => one === target.value))}
  >
    {orders.map((one) => (
      <option key={one} value={one}>
        {names[one]}
      </option>
    ))}
  </select>
);
