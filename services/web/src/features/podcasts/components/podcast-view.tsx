import { useNavigate } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { api, content } from '../../../lib/api.js';
import { useAccess } from '../../../lib/account.js';
import { reload } from '../../../lib/client.js';
import { t } from '../../../messages/index.js';
import { announce } from '../../../ui/action.js';
import { Art } from '../../../ui/art.js';
import { DeleteButton } from '../../../ui/delete-button.js';
import { IconButton } from '../../../ui/buttons.js';
import { PagedList } from '../../../ui/paged-list.js';
import { Tools, useData, View } from '../../../ui/view.js';
import { Heart } from '../../marks/index.js';
import { episodesOf, podcastQuery, type Podcast } from '../queries.js';
import { EpisodeCells } from './episode-cells.js';
import styles from './podcasts.module.css';

const ART_PX = 112;
const path = (id: string) => ({ params: { path: { podcast_id: id } } });

const PodcastTools = ({ podcast }: { readonly podcast: Podcast }): ReactNode => {
  const { id, name } = podcast;
  const navigate = useNavigate();
  const mayRefresh = useAccess('contentManager');
  const mayDelete = useAccess('catalogManager');
  const refresh = async (): Promise<void> => {
    await content(api.POST('/podcasts/{podcast_id}/sync', path(id)));
    await reload(['podcasts'], ['episodes']);
    announce(t.refreshed);
  };
  const remove = async (): Promise<void> => {
    await content(api.DELETE('/podcasts/{podcast_id}', path(id)));
    await navigate({ to: '/podcasts' });
    await reload(['podcasts'], ['episodes']);
  };
  return (
    <Tools>
      <Heart kind="podcast" object={podcast} name={name} />
      {mayRefresh && <IconButton icon={RefreshCw} label={t.refreshPodcast} onPress={refresh} />}
      {mayDelete && <DeleteButton label={t.deletePodcast} text={t.deletesPodcast(name)} onDelete={remove} />}
    </Tools>
  );
};

/** A podcast with its episodes. */
export const PodcastView = ({ id }: { readonly id: string }): ReactNode => {
  const [podcast, state] = useData(podcastQuery(id));
  if (!podcast) return state;
  const intro = (
    <header className={styles['head']}>
      <span>
        <Art url={podcast.art} has={podcast.has_art} px={ART_PX} />
      </span>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what can be scrolled must be reached by keys */}
      <p className={styles['description']} tabIndex={0}>
        {podcast.description}
      </p>
    </header>
  );
  return (
    <View title={podcast.name} tools={<PodcastTools podcast={podcast} />} fills>
      <PagedList key={id} source={episodesOf(id)} label={podcast.name} emptyText={t.noEpisodes} intro={intro}>
        {(episode, isActive) => <EpisodeCells episode={episode} isActive={isActive} />}
      </PagedList>
    </View>
  );
};
