import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { clock } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { Art } from '../../../ui/art.js';
import { perform } from '../../../ui/action.js';
import { Section } from '../../../ui/view.js';
import { goOnWith, type Bookmark } from '../../bookmarks/index.js';
import styles from './home-view.module.css';

const SHOWN = 6;
const ART_PX = 56;

/** Fields of a bookmark that are shown. */
interface Left {
  readonly title: string;
  readonly from: string;
  readonly art: { readonly url: string; readonly has: boolean };
  readonly durationS: number;
}

const leftOf = (bookmark: Bookmark): Left => {
  if (bookmark.kind === 'video') {
    const { title, art, has_art: has, time } = bookmark.video;
    return { title, from: t.video, art: { url: art, has }, durationS: time };
  }
  const [thing, from] =
    bookmark.kind === 'song' ? [bookmark.song, bookmark.song.artist.name] : [bookmark.episode, bookmark.episode.podcast.name];
  return { title: thing.title, from, art: { url: thing.art, has: thing.has_art }, durationS: thing.time };
};

/** Episodes, videos and songs that were left, to go on with. */
export const Continue = ({ bookmarks }: { readonly bookmarks: readonly Bookmark[] }): ReactNode => {
  const navigate = useNavigate();
  const goOn = async (bookmark: Bookmark): Promise<unknown> => {
    if (bookmark.kind === 'song') return goOnWith(bookmark.song, bookmark.positionS);
    if (bookmark.kind === 'video') return navigate({ to: '/videos/$id', params: { id: bookmark.video.id } });
    const { playEpisode } = await import('../play-episode.js');
    return playEpisode(bookmark.episode);
  };
  return (
    <Section title={t.continueListening}>
      <ul className={styles['left']}>
        {bookmarks.slice(0, SHOWN).map((bookmark) => {
          const { title, from, art, durationS } = leftOf(bookmark);
          const { id, positionS } = bookmark;
          return (
            <li key={id}>
              <button type="button" onClick={() => void perform(() => goOn(bookmark))}>
                <Art url={art.url} has={art.has} px={ART_PX} />
                <span>
                  <strong>{title}</strong>
                  <span>
                    {from} · {durationS > positionS ? t.timeLeft(clock(durationS - positionS)) : t.goOnAt(clock(positionS))}
                  </span>
                  {durationS > 0 && <progress aria-hidden value={positionS} max={durationS} />}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </Section>
  );
};
