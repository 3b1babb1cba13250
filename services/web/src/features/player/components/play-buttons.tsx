import { Play, Shuffle } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SongSource } from '../../../lib/song-sources.js';
import { t } from '../../../messages/index.js';
import { PillButton } from '../../../ui/buttons.js';
import { Tools } from '../../../ui/view.js';
import { player } from '../instance.js';

/** Plays a list from the beginning, or shuffled. */
export const PlayButtons = ({ source, total }: { readonly source: SongSource; readonly total: number }): ReactNode => (
  <Tools>
    <PillButton icon={Play} label={t.play} isMain onPress={() => player.playSource(source, { total })} />
    <PillButton icon={Shuffle} label={t.shuffle} onPress={() => player.playSource(source, { total, shuffle: true })} />
  </Tools>
);
