import { lazy, Suspense, type ReactNode } from 'react';
import { QueuePanel, type Panel } from '../features/player/index.js';
import { addToPlaylist } from '../features/playlists/index.js';

const LyricsPanel = lazy(() => import('../features/lyrics/index.js').then((feature) => ({ default: feature.LyricsPanel })));

/** The panel beside the view: the queue, or the lyrics. */
export const Panels = ({ panel, onClose }: { readonly panel: Panel | undefined; readonly onClose: () => void }): ReactNode => (
  <Suspense>
    {panel === 'queue' && <QueuePanel onClose={onClose} onSave={(songs) => void addToPlaylist.run({ songs, rows: [] })} />}
    {panel === 'lyrics' && <LyricsPanel onClose={onClose} />}
  </Suspense>
);
