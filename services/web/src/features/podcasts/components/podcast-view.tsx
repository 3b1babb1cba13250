import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { RefreshCw, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { api, content } from '../../../lib/api.js';
import { useAccess } from '../../../lib/use-access.js';
import { t } from '../../../messages/index.js';
import { announce, announceFailure } from '../../../ui/announcements.js';
import { Art } from '../../../ui/art.js';
import { DeleteDialog } from '../../../ui/delete-dialog.js';
import { openDialog } from '../../../ui/dialogs.js';
import { IconButton } from '../../../ui/icon-button.js';
import { PagedList } from '../../../ui/paged-list.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { Heart } from '../../marks/index.js';
import { episodesOf, podcastQuery, type Podcast } from '../queries.js';
import { EpisodeCells } from './episode-cells.js';
import styles from './podcasts.module.css';

const ART_PX = 112;
const path = (id: string) => ({ params: { path: { podcast_id: id } } });

const Tools = ({ podcast }: { readonly podcast: Podcast }): ReactNode => {
  const { id, name } = podcast;
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayRefresh = useAccess('contentManager');
  const mayDelete = useAccess('catalogManager');
  const reload = async (): Promise<void> => {
    await Promise.all(['podcasts', 'episodes'].map((key) => client.invalidateQueries({ queryKey: [key] })));
  };
  const refresh = async (): Promise<void> => {
    await content(api.POST('/podcasts/{podcast_id}/sync', path(id)));
    await reload();
    announce(t.refreshed);
  };
  const remove = async (): Promise<void> => {
    await content(api.DELETE('/podcasts/{podcast_id}', path(id)));
    await navigate({ to: '/podcasts' });
    await reload();
  };
  return (
    <div className={styles['tools']}>
      <Heart kind="podcast" object={podcast} name={name} />
      {mayRefresh && (
        <IconButton icon={RefreshCw} label={t.refreshPodcast} size={18} onPress={() => void refresh().catch(announceFailure)} />
      )}
      {mayDelete && (
        <IconButton
          icon={Trash2}
          label={t.deletePodcast}
          size={18}
          onPress={() => openDialog(<DeleteDialog title={t.deletePodcast} text={t.deletesPodcast(name)} onDelete={remove} />)}
        />
      )}
    </div>
  );
};

/** A podcast with its episodes. */
export const PodcastView = ({ id }: { readonly id: string }): ReactNode => {
  const { data: podcast, error, refetch } = useQuery(podcastQuery(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!podcast) return <Notice>{t.loading}</Notice>;
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
    <View title={podcast.name} tools={<Tools podcast={podcast} />} fills>
      <PagedList key={id} source={episodesOf(id)} label={podcast.name} emptyText={t.noEpisodes} intro={intro}>
        {(episode, isActive) => <EpisodeCells episode={episode} isActive={isActive} />}
      </PagedList>
    </View>
  );
};
