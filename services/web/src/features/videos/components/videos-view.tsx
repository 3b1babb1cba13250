import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, type ReactNode } from 'react';
import { clock } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { FilterField } from '../../../ui/filter-field.js';
import { OrderChoice } from '../../../ui/order-choice.js';
import { PagedList } from '../../../ui/paged-list.js';
import { ToolRow } from '../../../ui/tool-row.js';
import { View } from '../../../ui/view.js';
import { Heart } from '../../marks/index.js';
import { videoOrders, type VideoFilter } from '../filter.js';
import { videosOf } from '../queries.js';
import styles from './videos.module.css';

const ORDER_NAMES = { title: t.byName, 'addition_time,DESC': t.byAdded } as const;

/** All videos. */
export const VideosView = (): ReactNode => {
  const filter = useSearch({ from: '/videos' });
  const navigate = useNavigate({ from: '/videos' });
  const { order = 'title', name = '' } = useDeferredValue(filter);
  const change = (changed: VideoFilter): void => void navigate({ search: { ...filter, ...changed }, replace: true });
  return (
    <View
      title={t.videos}
      tools={
        <ToolRow>
          <FilterField value={filter.name} onFilter={(wanted) => change({ name: wanted })} />
          <OrderChoice
            orders={videoOrders}
            names={ORDER_NAMES}
            chosen={filter.order ?? 'title'}
            onChoose={(chosen) => change({ order: chosen })}
          />
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
