import type { ReactNode } from 'react';
import { useWatched } from '../../../lib/watched.js';
import { t } from '../../../messages/index.js';
import { Check } from '../../../ui/fields.js';
import { Dialog } from '../../../ui/dialog.js';
import { LanguageChoice } from '../../../ui/language-choice.js';
import { Tabs } from '../../../ui/tabs.js';
import { looks, setLooks } from '../looks.js';
import styles from './looks-dialog.module.css';

/** Chooses how the page looks in this browser; a choice is seen at once. */
export const LooksDialog = (): ReactNode => {
  const { theme, contrast, followsCover } = useWatched(looks);
  return (
    <Dialog title={t.looks}>
      <div className={styles['choice']}>
        <span>{t.language}</span>
        <LanguageChoice />
      </div>
      <div className={styles['choice']}>
        <span>{t.theme}</span>
        <Tabs
          label={t.theme}
          names={{ system: t.likeSystem, light: t.lightTheme, dark: t.darkTheme }}
          shown={theme}
          onShow={(chosen) => setLooks({ theme: chosen })}
        />
      </div>
      <div className={styles['choice']}>
        <span>{t.contrast}</span>
        <Tabs
          label={t.contrast}
          names={{ system: t.likeSystem, more: t.highContrast }}
          shown={contrast}
          onShow={(chosen) => setLooks({ contrast: chosen })}
        />
      </div>
      <Check label={t.coverAccent} isOn={followsCover} onChange={(isOn) => setLooks({ followsCover: isOn })} />
    </Dialog>
  );
};
