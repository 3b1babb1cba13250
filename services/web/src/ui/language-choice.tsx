import type { ReactNode } from 'react';
import { chooseLanguage, language, languages, t } from '../messages/index.js';
import { Tabs } from './tabs.js';

/** Languages of the page, of which one is chosen. */
export const LanguageChoice = (): ReactNode => <Tabs label={t.language} names={languages} shown={language} onShow={chooseLanguage} />;
