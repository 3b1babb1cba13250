import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, type ReactNode } from 'react';
import { viewOf } from '../../../lib/address.js';
import { clock } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { Choice, FilterField, type Options } from '../../../ui/fields.js';
import { PagedList } from '../../../ui/paged-list.js';
import { ToolRow, View } from '../../../ui/view.js';
import { Heart } from '../../marks/index.js';
import type { VideoFilter, VideoOrder } from '../filter.js';
import { videosOf } from '../queries.js';

const ORDERS: Options<VideoOrder> = [
  ['title', t.byName],
  ['addition_time,DESC', t.byAdded],
];

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
          <Choice label={t.order} options={ORDERS} chosen={filter.order ?? 'title'} onChoose={(chosen) => change({ order: chosen })} />
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
            <span role="gridcell">
              <Link to={viewOf('videos', video.id)} tabIndex={isActive ? 0 : -1} data-focus>
                {video.title}
              </Link>
            </span>
            <small role="gridcell">
              {video.resolution} · {clock(video.time)}
            </small>
            <span role="gridcell">
              <Heart kind="video" object={video} name={video.title} isInTabOrder={isActive} />
            </span>
          </>
        )}
      </PagedList>
    </View>
  );
};
