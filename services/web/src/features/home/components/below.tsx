import { useQuery } from '@tanstack/react-query';
import { AudioLines } from 'lucide-react';
import type { ReactNode } from 'react';
import { viewOf } from '../../../lib/address.js';
import { accountQuery } from '../../../lib/account.js';
import { api, content, unlessRefused, type Song } from '../../../lib/api.js';
import { songsOf } from '../../../lib/song-sources.js';
import { t } from '../../../messages/index.js';
import { Chips, Failure, Links, Section } from '../../../ui/view.js';
import { perform } from '../../../ui/action.js';
import { player } from '../../player/index.js';

/** Song, episode or video that somebody else plays. */
interface OthersPlay {
  readonly username: string;
  readonly title: string;
  readonly view: string;
  /** When it ends by itself, ms since 1970. */
  readonly endsAtMs: number;
}

const SHOWN = 6;
/** Shortest pause until ended plays are left out, ms. */
const SOON_MS = 1000;

const thingOf = async (type: string, id: string): Promise<Pick<OthersPlay, 'title' | 'view'> | undefined> => {
  if (type === 'song') {
    const song = await unlessRefused(content(api.GET('/songs/{song_id}', { params: { path: { song_id: id } } })));
    return song && { title: `${song.title} – ${song.artist.name}`, view: viewOf('albums', song.album.id) };
  }
  if (type === 'video') {
    const video = await unlessRefused(content(api.GET('/videos/{video_id}', { params: { path: { video_id: id } } })));
    return video && { title: video.title, view: viewOf('videos', id) };
  }
  const episode = await unlessRefused(content(api.GET('/podcast-episodes/{episode_id}', { params: { path: { episode_id: id } } })));
  return episode && { title: `${episode.title} – ${episode.podcast.name}`, view: viewOf('podcasts', episode.podcast.id) };
};

/** Songs that others play now. Events tell of new plays; it is asked again when the first of them is over. */
const othersPlayQuery = {
  queryKey: ['home', 'others'],
  queryFn: async (): Promise<readonly OthersPlay[]> => {
    const [{ id: own }, { now_playing: playing }] = await Promise.all([accountQuery.queryFn(), content(api.GET('/me/now-playing'))]);
    const others = playing.filter(({ user }) => user.id !== own).slice(0, SHOWN);
    const shown = await Promise.all(
      others.map(async ({ id, type, user, expire }) => {
        const thing = await thingOf(type, id);
        return thing && { username: user.username, endsAtMs: expire * 1000, ...thing };
      }),
    );
    return shown.filter((one) => one !== undefined);
  },
  refetchInterval: ({ state }: { readonly state: { readonly data?: readonly OthersPlay[] | undefined } }): number | false => {
    const endsMs = (state.data ?? []).map(({ endsAtMs }) => endsAtMs);
    return endsMs.length > 0 && Math.max(SOON_MS, Math.min(...endsMs) - Date.now());
  },
};

const MIXES = 4;
/** Songs that were heard lately, of which some are by the same artist. */
const HEARD = '24';
const MIXES_FRESH_MS = 600_000;

/** Songs heard lately, each of another artist, that a mix of songs like them can begin with; none where the server compares no sounds. */
const mixesQuery = {
  queryKey: ['mixes'],
  queryFn: async (): Promise<readonly Song[]> => {
    const { song: heard } = await content(api.GET('/songs/stats', { params: { query: { filter: 'recent', limit: HEARD } } }));
    const firsts = [...new Map(heard.toReversed().map((song) => [song.artist.id, song])).values()].toReversed().slice(0, MIXES);
    const alike = await Promise.all(
      firsts.map(({ id }) =>
        unlessRefused(content(api.GET('/songs/{song_id}/sonic-match', { params: { path: { song_id: id }, query: { limit: '1' } } }))),
      ),
    );
    return firsts.filter((_, at) => (alike[at]?.sonic_match.length ?? 0) > 0);
  },
  staleTime: MIXES_FRESH_MS,
};

const playMix = async (id: string): Promise<void> => {
  const source = { kind: 'mix', id } as const;
  const { total } = await songsOf(source, 0, 1);
  await player.playSource(source, { total });
};

const Mixes = (): ReactNode => {
  const { data: songs = [], error, refetch } = useQuery(mixesQuery);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (songs.length === 0) return null;
  return (
    <Section title={t.mixes}>
      <Chips>
        {songs.map(({ id, title, artist }) => (
          <li key={id}>
            <button type="button" onClick={() => void perform(() => playMix(id))}>
              <AudioLines size={14} aria-hidden /> {t.mixLike(title, artist.name)}
            </button>
          </li>
        ))}
      </Chips>
    </Section>
  );
};

const OthersPlay = (): ReactNode => {
  const { data: others = [], error, refetch } = useQuery(othersPlayQuery);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (others.length === 0) return null;
  return (
    <Section title={t.othersPlay}>
      <Links in={Chips} of={others.map(({ username, title, view }) => ({ to: view, name: t.playedBy(username, title) }))} />
    </Section>
  );
};

/** Parts of the home view below its shelves, which are loaded once those are there. */
export const Below = (): ReactNode => (
  <>
    <OthersPlay />
    <Mixes />
  </>
);
