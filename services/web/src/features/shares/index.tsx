import { Share2 } from 'lucide-react';
import { t } from '../../messages/index.js';
import { openDialog } from '../../ui/dialogs.js';
import { lazyComponent } from '../../ui/lazy-component.js';
import { onThing } from '../songs/index.js';

const ShareDialog = lazyComponent(() => import('./components/share-dialog.js'), 'ShareDialog');

/** Opens the terms on which something is shared. */
export const share = onThing({ name: t.share, icon: Share2 }, (target) => openDialog(<ShareDialog target={target} />));
