import { useQuery } from '@tanstack/react-query';
import { Check, Clock, Cloud, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { api, content } from '../../../lib/api.js';
import { clock } from '../../../lib/format.js';
import { heardPositionsQuery } from '../../../lib/heard-positions.js';
import { useAccess } from '../../../lib/account.js';
import { reload } from '../../../lib/client.js';
import { t } from '../../../messages/index.js';
import { perform } from '../../../ui/action.js';
import { DeleteButton } from '../../../ui/delete-button.js';
import { Heart } from '../../marks/index.js';
import { playEpisode, useProgrammes } from '../../programmes/index.js';
import type { Episode } from '../queries.js';
import styles from './podcasts.module.css';

const STATES: Readonly<Record<string, readonly [LucideIcon, string]>> = {
  completed: [Check, t.downloaded],
  pending: [Clock, t.downloading],
};
const NOT_KEPT = [Cloud, t.atPublisher] as const;
const DAY = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium' });

/** How much is left of an episode, or, where its length is not known, where it was left. */
const leftTextOf = (leftAtS: number, durationS: number): string =>
  durationS > leftAtS ? t.timeLeft(clock(durationS - leftAtS)) : t.leftAt(clock(leftAtS));

/** When an episode was published, how long it is, and how much of it is left. */
const Facts = ({ episode, leftAtS }: { readonly episode: Episode; readonly leftAtS: number | undefined }): ReactNode => {
  const left = leftAtS !== undefined && leftTextOf(leftAtS, episode.time);
  const heard = left || (episode.playcount > 0 ? t.heard : '');
  const facts = [DAY.format(new Date(episode.pubdate)), ...(episode.time > 0 ? [clock(episode.time)] : []), ...(heard ? [heard] : [])];
  return <span className={styles['facts']}>{facts.join(' · ')}</span>;
};

/** Cells of an episode. */
export const EpisodeCells = ({ episode, isActive }: { readonly episode: Episode; readonly isActive: boolean }): ReactNode => {
  const { id, title, state } = episode;
  const mayDelete = useAccess('catalogManager');
  const { programme, positionS } = useProgrammes();
  const { data: positions } = useQuery(heardPositionsQuery('podcast_episode'));
  const isCurrent = programme?.kind === 'podcast_episode' && programme.id === id;
  const [StateIcon, stateName] = STATES[state] ?? NOT_KEPT;
  const tab = isActive ? 0 : -1;
  const remove = async (): Promise<void> => {
    await content(api.DELETE('/podcast-episodes/{episode_id}', { params: { path: { episode_id: id } } }));
    await reload(['episodes']);
  };
  return (
    <>
      <span role="gridcell" className={styles['episode']}>
        <button
          type="button"
          data-focus
          tabIndex={tab}
          className={styles['title']}
          aria-current={isCurrent || undefined}
          onClick={() => void perform(() => playEpisode(episode))}
        >
          {title}
        </button>
        <Facts episode={episode} leftAtS={isCurrent ? positionS : positions?.get(id)} />
      </span>
      <span role="gridcell" className={styles['state']} title={stateName}>
        <StateIcon size={18} role="img" aria-label={stateName} />
      </span>
      <span role="gridcell">
        <Heart kind="podcast_episode" object={episode} name={title} isInTabOrder={isActive} />
      </span>
      {mayDelete && (
        <span role="gridcell">
          <DeleteButton label={t.deleteEpisode(title)} text={t.deletesEpisode(title)} isInTabOrder={isActive} onDelete={remove} />
        </span>
      )}
    </>
  );
};
