import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, type ReactNode } from 'react';
import { clock } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { PagedList } from '../../../ui/paged-list.js';
import { ToolRow } from '../../../ui/tool-row.js';
import { View } from '../../../ui/view.js';
import { Heart } from '../../marks/index.js';
import { videoOrders } from '../filter.js';
import { videosOf } from '../queries.js';
import styles from './videos.module.css';

const ORDER_NAMES = { title: t.byName, 'addition_time,DESC': t.byAdded } as const;

/** All videos. */
export const VideosView = (): ReactNode => {
  const filter = useSearch({ from: '/videos' });
  const navigate = useNavigate({ from: '/videos' });
  const { order = 'title', name = '' } = useDeferredValue(filter);
  return (
    <View
      title={t.videos}
      tools={
        <ToolRow>
          <input
            type="search"
            aria-label={t.filterByName}
            placeholder={t.filterByName}
            value={filter.name ?? ''}
            onChange={({ target }) => void navigate({ search: { ...filter, name: target.value || undefined }, replace: true })}
          />
          <select
            aria-label={t.order}
            value={order}
            onChange={({ target }) =>
              void navigate({ search: { ...filter, order: videoOrders.find((one) => one === target.value) }, replace: true })
            }
          >
            {videoOrders.map((one) => (
              <option key={one} value={one}>
                {ORDER_NAMES[one]}
              </option>
            ))}
          </select>
        </ToolRow>
      }
      fills
    >
      <PagedList
        key={`${order} ${name}`}
        source={videosOf(order, name)}
        label={t.videos}
        emptyText={name ? t.nothingMatches : t.noVideos}
        rowPx={52}
      >
        {(video, isActive) => (
          <>
            <span role="gridcell" className={styles['name']}>
              <Link to="/videos/$id" params={{ id: video.id }} tabIndex={isActive ? 0 : -1} data-focus>
                {video.title}
              </Link>
            </span>
            <span role="gridcell" className={styles['dim']}>
              {video.resolution} · {clock(video.time)}
            </span>
            <span role="gridcell">
              <Heart kind="video" object={video} name={video.title} isInTabOrder={isActive} />
            </span>
          </>
        )}
      </PagedList>
    </View>
  );
};
