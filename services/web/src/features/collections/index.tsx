import { Boxes } from 'lucide-react';
import { t } from '../../messages/index.js';
import { openDialog } from '../../ui/dialogs.js';
import { lazyComponent } from '../../ui/lazy-component.js';
import { onThing } from '../songs/index.js';

const CollectDialog = lazyComponent(() => import('./components/collect-dialog.js'), 'CollectDialog');

/** Opens the choice of a collection. */
export const collect = onThing({ name: t.addToCollection, icon: Boxes }, (thing) => openDialog(<CollectDialog thing={thing} />));
