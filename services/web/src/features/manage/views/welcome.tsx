import { useQuery } from '@tanstack/react-query';
import { FolderPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { base } from '../../../lib/session.js';
import { songsQuery, type SongSource } from '../../../lib/song-sources.js';
import { t } from '../../../messages/index.js';
import { CopyField } from '../../../ui/copy-field.js';
import { LanguageChoice } from '../../../ui/language-choice.js';
import { PillButton } from '../../../ui/buttons.js';
import { Failure, Notice } from '../../../ui/view.js';
import { PlayButtons } from '../../player/index.js';
import { addressFindings } from '../address-findings.js';
import { answered, manage } from '../api.js';
import { QrCode } from '../components/qr-code.js';
import { count } from '../format.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';
import { addCatalog, Scans } from './libraries.js';

const LATEST: SongSource = { kind: 'songs', sort: 'addition_time,DESC' };
const SHOWN_SONGS = 5;

/** Songs that were found so far; they appear while a scan runs. */
const Found = (): ReactNode => {
  const { data, error, refetch } = useQuery(songsQuery(LATEST, 0));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data || data.total === 0) return null;
  return (
    <>
      <p role="status">{m.songsFound(count(data.total))}</p>
      <ul className={styles['rows']}>
        {data.items.slice(0, SHOWN_SONGS).map(({ id, title, artist }) => (
          <li key={id}>
            {title} <span className={styles['dim']}>{artist.name}</span>
          </li>
        ))}
      </ul>
      <PlayButtons source={LATEST} total={data.total} />
    </>
  );
};

const connectionQuery = { queryKey: ['manage', '/connection'], queryFn: () => answered(manage.GET('/connection')) };

/** Addresses for players, each to be copied, and one for the camera of a phone. */
const Players = ({ address }: { readonly address: string }): ReactNode => (
  <>
    <p>{m.playersText}</p>
    <dl className={styles['addresses']}>
      {Object.entries(m.apis).map(([path, name]) => (
        <div key={path} className={styles['address']}>
          <dt>{name}</dt>
          <dd>
            <CopyField label={name} copyLabel={m.copyNamed(name)} value={`${address}${path}`} />
          </dd>
        </div>
      ))}
    </dl>
    <p>{m.scanCode}</p>
    <QrCode text={`${address}/`} label={m.codeOf(address)} />
  </>
);

const Connecting = (): ReactNode => {
  const { data, error, refetch } = useQuery(connectionQuery);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Notice>{t.loading}</Notice>;
  const address = (data.publicUrl ?? base).replace(/\/+$/, '');
  return (
    <>
      <li>
        <h2>{m.connectPlayers}</h2>
        <Players address={address} />
      </li>
      <li>
        <h2>{m.checkAddress}</h2>
        <ul className={styles['rows']}>
          {addressFindings(data, base).map(({ kind, isFault, about }) => (
            <li key={kind} className={isFault ? styles['bad'] : undefined}>
              {m.addressFindings[kind](about, base)}
            </li>
          ))}
        </ul>
      </li>
    </>
  );
};

/** First steps of a new server: language, the first music, players, and whether others reach it. */
export const Welcome = (): ReactNode => (
  <ol className={styles['steps']}>
    <li>
      <h2>{t.language}</h2>
      <LanguageChoice />
    </li>
    <li>
      <h2>{m.firstMusic}</h2>
      <p>{m.firstMusicText}</p>
      <PillButton icon={FolderPlus} label={m.addCatalog} isMain onPress={addCatalog} />
      <Scans />
      <Found />
    </li>
    <Connecting />
  </ol>
);
