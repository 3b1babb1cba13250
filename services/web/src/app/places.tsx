import { Link } from '@tanstack/react-router';
import {
  Boxes,
  Bookmark,
  CalendarDays,
  ChartColumn,
  Disc3,
  Download,
  Film,
  Folder,
  Guitar,
  Heart,
  House,
  Library,
  ListMusic,
  LogOut,
  MicVocal,
  Music,
  PartyPopper,
  Podcast,
  RadioTower,
  Search,
  Settings,
  Share2,
  Tag,
  Upload,
  UserRound,
  UsersRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useMayUpload } from '../features/uploads/index.js';
import { chooseLooks } from '../features/looks/index.js';
import { base, session } from '../lib/session.js';
import { useAccess } from '../lib/account.js';
import { t } from '../messages/index.js';
import { perform } from '../ui/action.js';
import { LinkList, View } from '../ui/view.js';

export const ICON_PX = 20;

/** Views of the main navigation by group: whole library, one's own, what goes on over time, other people and the server. `isTab`: stands in the bar of phones; the others are found in the library there. */
const GROUPS = [
  [
    { to: '/', name: t.home, icon: House, isTab: true },
    { to: '/search', name: t.search, icon: Search, isTab: true },
    { to: '/library', name: t.library, icon: Library, isTab: true },
  ],
  [
    { to: '/albums', name: t.albums, icon: Disc3, isTab: false },
    { to: '/artists', name: t.artists, icon: MicVocal, isTab: false },
    { to: '/songs', name: t.songs, icon: Music, isTab: false },
    { to: '/genres', name: t.genres, icon: Guitar, isTab: false },
    { to: '/years', name: t.years, icon: CalendarDays, isTab: false },
    { to: '/labels', name: t.labels, icon: Tag, isTab: false },
    { to: '/folders', name: t.folders, icon: Folder, isTab: false },
  ],
  [
    { to: '/playlists', name: t.playlists, icon: ListMusic, isTab: true },
    { to: '/favourites', name: t.favourites, icon: Heart, isTab: true },
    { to: '/collections', name: t.collections, icon: Boxes, isTab: false },
    { to: '/bookmarks', name: t.bookmarks, icon: Bookmark, isTab: false },
    { to: '/offline', name: t.offline, icon: Download, isTab: false },
    { to: '/statistics', name: t.statistics, icon: ChartColumn, isTab: false },
  ],
  [
    { to: '/podcasts', name: t.podcasts, icon: Podcast, isTab: false },
    { to: '/radio', name: t.radio, icon: RadioTower, isTab: false },
    { to: '/videos', name: t.videos, icon: Film, isTab: false },
  ],
  [
    { to: '/people', name: t.people, icon: UsersRound, isTab: false },
    { to: '/party', name: t.party, icon: PartyPopper, isTab: false },
    { to: '/shares', name: t.shares, icon: Share2, isTab: false },
    { to: '/uploads', name: t.uploads, icon: Upload, isTab: false },
    { to: '/manage', name: t.manage, icon: Settings, isTab: false },
  ],
] as const;
type Place = (typeof GROUPS)[number][number];

/** Views of the main navigation. */
export const PLACES: readonly Place[] = GROUPS.flat();

/** Views that this account may open, by group. */
export const usePlaces = (): readonly (readonly Place[])[] => {
  const [mayUpload, mayManage] = [useMayUpload(), useAccess('administrator')];
  return GROUPS.map((group) => group.filter(({ to }) => (to !== '/uploads' || mayUpload) && (to !== '/manage' || mayManage)));
};

/** Account and sign-out. */
export const AccountLinks = ({ className }: { readonly className?: string }): ReactNode => (
  <>
    <li>
      <a href={`${base}account/me`} className={className}>
        <UserRound size={ICON_PX} aria-hidden /> <span>{t.account}</span>
      </a>
    </li>
    <li>
      <button type="button" className={className} onClick={() => void perform(chooseLooks.run)}>
        <chooseLooks.icon size={ICON_PX} aria-hidden /> <span>{chooseLooks.name}</span>
      </button>
    </li>
    <li>
      <button type="button" className={className} onClick={() => void perform(() => session.signOut())}>
        <LogOut size={ICON_PX} aria-hidden /> <span>{t.signOut}</span>
      </button>
    </li>
  </>
);

/** On phones: the views that have no room in the bar. */
export const LibraryView = (): ReactNode => (
  <View title={t.library}>
    <LinkList>
      {usePlaces()
        .flat()
        .filter(({ isTab }) => !isTab)
        .map(({ to, name, icon: Icon }) => (
          <li key={to}>
            <Link to={to}>
              <Icon size={ICON_PX} aria-hidden /> <span>{name}</span>
            </Link>
          </li>
        ))}
      <AccountLinks />
    </LinkList>
  </View>
);
