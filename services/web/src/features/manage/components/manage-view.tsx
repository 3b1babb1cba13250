import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { View } from '../../../ui/view.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';
import { Access } from '../views/access.js';
import { Backups } from '../views/backups.js';
import { Care } from '../views/care.js';
import { Inside } from '../views/inside.js';
import { Deliveries, Integrations } from '../views/integrations.js';
import { Libraries, SkippedFiles } from '../views/libraries.js';
import { People, Person } from '../views/people.js';
import { Audit, Checks, Settings } from '../views/reports.js';
import { Welcome } from '../views/welcome.js';
import { Work } from '../views/work.js';
import { Alarms } from './alarms.js';

type Section = keyof typeof m.sections;

interface SectionViews {
  readonly whole: () => ReactNode;
  /** View of one item of the section, by its id. */
  readonly one?: (props: { readonly id: string }) => ReactNode;
}

const VIEWS: Readonly<Record<Section, SectionViews>> = {
  libraries: { whole: Libraries, one: SkippedFiles },
  care: { whole: Care },
  people: { whole: People, one: Person },
  access: { whole: Access },
  work: { whole: Work },
  inside: { whole: Inside },
  backups: { whole: Backups },
  integrations: { whole: Integrations, one: Deliveries },
  checks: { whole: Checks },
  settings: { whole: Settings },
  audit: { whole: Audit },
  welcome: { whole: Welcome },
};

const isSection = (name: string | undefined): name is Section => name !== undefined && name in VIEWS;

/** One section of the managing views, chosen by the address. */
export const ManageView = (): ReactNode => {
  const { section: named, id } = useParams({ strict: false });
  const section = isSection(named) ? named : 'libraries';
  const { whole: Whole, one: One } = VIEWS[section];
  const nav = useRef<HTMLElement>(null);
  // On phones the sections are wider than the screen.
  useEffect(() => {
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [section]);
  return (
    <View title={`${t.manage}: ${m.sections[section]}`}>
      <nav ref={nav} aria-label={t.manage}>
        <ul className={styles['sections']}>
          {(Object.entries(m.sections) as [Section, string][]).map(([name, title]) => (
            <li key={name}>
              <Link
                to="/manage/$section"
                params={{ section: name }}
                className={styles['link'] ?? ''}
                aria-current={name === section ? 'page' : undefined}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Alarms />
      <div className={styles['layout']}>{id !== undefined && One ? <One id={id} /> : <Whole />}</div>
    </View>
  );
};
