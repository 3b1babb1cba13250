import { useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { View } from '../../../ui/view.js';
import { albumOrders, type AlbumOrder } from '../queries.js';
import { AlbumGrid } from './album-grid.js';

const ORDER_NAMES: Readonly<Record<AlbumOrder, string>> = {
  name: t.byName,
  artist: t.byArtist,
  'year,DESC': t.byYear,
  'addition_time,DESC': t.byAdded,
};
const KEPT = 'continuo-album-order';

const keptOrder = (): AlbumOrder => albumOrders.find((order) => order === localStorage.getItem(KEPT)) ?? 'name';

/** All albums. */
export const AlbumsView = (): ReactNode => {
  const [order, setOrder] = useState(keptOrder);
  const choose = (chosen: string): void => {
    const known = albumOrders.find((one) => one === chosen) ?? 'name';
    localStorage.setItem(KEPT, known);
    setOrder(known);
  };
  return (
    <View
      title={t.albums}
      tools={
        <label>
          {t.order}{' '}
          <select value={order} onChange={({ target }) => choose(target.value)}>
            {albumOrders.map((one) => (
              <option key={one} value={one}>
                {ORDER_NAMES[one]}
              </option>
            ))}
          </select>
        </label>
      }
      fills
    >
      <AlbumGrid key={order} order={order} />
    </View>
  );
};
