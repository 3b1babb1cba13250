import { useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Dialog } from '../../../ui/dialog.js';
import { LanguageChoice } from '../../../ui/language-choice.js';
import { Tabs } from '../../../ui/tabs.js';
import { looksNow, setLooks, type Looks } from '../looks.js';
import styles from './looks-dialog.module.css';

/** Chooses how the page looks in this browser; a choice is seen at once. */
export const LooksDialog = (): ReactNode => {
  const [looks, setShown] = useState(looksNow);
  const change = (changes: Partial<Looks>): void => {
    setLooks(changes);
    setShown(looksNow());
  };
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
          shown={looks.theme}
          onShow={(theme) => change({ theme })}
        />
      </div>
      <div className={styles['choice']}>
        <span>{t.contrast}</span>
        <Tabs
          label={t.contrast}
          names={{ system: t.likeSystem, more: t.highContrast }}
          shown={looks.contrast}
          onShow={(contrast) => change({ contrast })}
        />
      </div>
      <label className={styles['check']}>
        <input type="checkbox" checked={looks.followsCover} onChange={({ target }) => change({ followsCover: target.checked })} />{' '}
        {t.coverAccent}
      </label>
    </Dialog>
  );
};
