import { SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { IconButton } from '../../../ui/buttons.js';

const SoundPopover = lazy(() => import('./sound-popover.js'));

/** Opens what is heard, why, and in which quality. */
export const SoundButton = (): ReactNode => {
  const [button, setButton] = useState<HTMLElement>();
  return (
    <>
      <IconButton icon={SlidersHorizontal} label={t.sound} size={20} onPress={setButton} />
      {button && (
        <Suspense>
          <SoundPopover button={button} onClose={() => setButton(undefined)} />
        </Suspense>
      )}
    </>
  );
};
