import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { live } from '../lib/live.js';
import { t } from '../messages/index.js';
import { PlayerBar, QueuePanel, type Panel } from '../features/player/index.js';
import { addToPlaylist } from '../features/playlists/index.js';
import { collect } from '../features/collections/index.js';
import { bookmarkHere } from '../features/bookmarks/index.js';
import { keepList, keepSongs } from '../features/offline/index.js';
import { requestSongs } from '../features/party/index.js';
import { share } from '../features/shares/index.js';
import { OtherActions } from '../features/songs/index.js';
import { FileDrop, useMayUpload } from '../features/uploads/index.js';
import { useWatched } from '../lib/watched.js';
import { otherBar } from '../ui/other-bar.js';
import { Overlays } from '../ui/overlays.js';
import { AccountLinks, ICON_PX, usePlaces } from './places.js';
import { useShortcuts } from './use-shortcuts.js';
import styles from './shell.module.css';

/** Says above every view that what it shows is older than what has happened, while the tables of the server lag behind its log. */
const LagNotice = ({ className }: { readonly className: string }): ReactNode => {
  const [isBehind, setBehind] = useState(false);
  useEffect(
    () =>
      live.subscribe(({ type }) => {
        if (type === 'behind') setBehind(true);
        // A stream begins anew with one of these; it says next that the tables are behind if they are.
        if (type === 'current' || type === 'ready' || type === 'reset') setBehind(false);
      }),
    [],
  );
  return (
    isBehind && (
      <p role="status" className={className}>
        {t.lags}
      </p>
    )
  );
};

const LyricsPanel = lazy(() => import('../features/lyrics/index.js').then((feature) => ({ default: feature.LyricsPanel })));

/** The panel beside the view: the queue, or the lyrics. */
const Panels = ({ panel, onClose }: { readonly panel: Panel | undefined; readonly onClose: () => void }): ReactNode => (
  <Suspense>
    {panel === 'queue' && <QueuePanel onClose={onClose} onSave={(songs) => void addToPlaylist.run({ songs, rows: [] })} />}
    {panel === 'lyrics' && <LyricsPanel onClose={onClose} />}
  </Suspense>
);

const ACTIONS = {
  songs: [addToPlaylist, bookmarkHere, requestSongs, collect.song, share.song, keepSongs],
  lists: [collect.list, share.list, keepList],
};

const Navigation = (): ReactNode => (
  <nav className={styles['nav']} aria-label={t.mainNavigation}>
    <ul>
      {usePlaces().map((group) =>
        group.map(({ to, name, icon: Icon, isTab }, at) => (
          <li key={to} data-tab={isTab || undefined} data-first={at === 0 || undefined}>
            <Link to={to} className={styles['place'] ?? ''} activeOptions={{ exact: to === '/', includeSearch: false }}>
              <Icon size={ICON_PX} aria-hidden /> <span>{name}</span>
            </Link>
          </li>
        )),
      )}
    </ul>
    <ul>
      <AccountLinks className={styles['place'] ?? ''} />
    </ul>
  </nav>
);

/** Frame of every view: navigation, side panel, player. */
export const Shell = (): ReactNode => {
  const [panel, setPanel] = useState<Panel>();
  const main = useRef<HTMLElement>(null);
  const other = useWatched(otherBar);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { history } = useRouter();
  useShortcuts({ goTo: (view) => history.push(view), panel, setPanel });
  const mayUpload = useMayUpload();
  // On phones the panel covers the view: who goes to another wants to see it.
  useEffect(() => setPanel((open) => (matchMedia('(min-width: 48.01rem)').matches ? open : undefined)), [path]);
  return (
    <OtherActions value={ACTIONS}>
      <div className={styles['shell']}>
        <button type="button" className={styles['skip']} onClick={() => main.current?.focus()}>
          {t.toContent}
        </button>
        <Navigation />
        <main ref={main} className={styles['main']} tabIndex={-1}>
          <LagNotice className={styles['lag'] ?? ''} />
          <Outlet />
        </main>
        {panel && (
          <div className={styles['panel']}>
            <Panels panel={panel} onClose={() => setPanel(undefined)} />
          </div>
        )}
        <footer className={styles['player']}>
          <Suspense>{other ?? <PlayerBar panel={panel} onPanel={setPanel} />}</Suspense>
        </footer>
      </div>
      {mayUpload && <FileDrop />}
      <Overlays />
    </OtherActions>
  );
};
