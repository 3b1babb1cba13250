import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useDeferredValue, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { perform } from '../../../ui/action.js';
import { Chips, Failure, Notice, Section, View } from '../../../ui/view.js';
import { AlbumShelf } from '../../albums/index.js';
import { SongTable } from '../../songs/parts.js';
import { SONGS_FOUND, useFound, type FoundKind, type Hit } from '../use-found.js';
import styles from './search-view.module.css';

/** Id of the search field. */
const SEARCH_FIELD = 'search-field';

const HitLink = ({ hit }: { readonly hit: Hit }): ReactNode =>
  'view' in hit ? (
    <Link to={hit.view} data-focus>
      {hit.name}
    </Link>
  ) : (
    <button type="button" data-focus onClick={() => void perform(hit.play)}>
      <Play size={14} aria-hidden /> {hit.name}
    </button>
  );

const Kind = ({ title, hits, albums }: FoundKind): ReactNode =>
  albums ? (
    <AlbumShelf title={title} albums={albums} />
  ) : (
    <Section title={title}>
      <Chips>
        {hits.map((hit) => (
          <li key={hit.id}>
            <HitLink hit={hit} />
          </li>
        ))}
      </Chips>
    </Section>
  );

const Results = ({ words }: { readonly words: string }): ReactNode => {
  const { kinds, list, isPending, error, retry } = useFound(words, 'list');
  if (error !== null) return <Failure error={error} onRetry={retry} />;
  if (isPending || !list) return <Notice>{t.loading}</Notice>;
  if (kinds.length === 0 && list.total === 0) return <Notice>{t.nothingFound(words)}</Notice>;
  const intro = (
    <>
      {kinds.map((kind) => (
        <Kind key={kind.title} {...kind} />
      ))}
      {list.total > 0 && (
        <Section title={t.songs}>
          <p>
            <small>
              {list.total < SONGS_FOUND ? (
                t.songCount(list.total)
              ) : (
                <Link to="/songs" search={{ name: words }}>
                  {t.allTitled(words)}
                </Link>
              )}
            </small>
          </p>
        </Section>
      )}
    </>
  );
  return <SongTable key={JSON.stringify(list.source)} source={list.source} label={t.songs} intro={intro} emptyText="" />;
};

/** Moves the focus between the field and the results by the arrow keys; the table of songs moves it by itself. */
const onArrow = (event: KeyboardEvent<HTMLElement>): void => {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const target = event.target as HTMLElement;
  if (step === 0 || (target.closest('[role="row"]') && !(step < 0 && target.dataset['row'] === '0'))) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(`#${SEARCH_FIELD}, [data-focus], [data-row="0"]`)];
  const next = stops[stops.indexOf(target) + step];
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
};

/** Finds everything that has a name while words are typed. */
export const SearchView = (): ReactNode => {
  const { words = '' } = useSearch({ from: '/search' });
  const navigate = useNavigate();
  const asked = useDeferredValue(words.trim());
  return (
    <div className={styles['view']} role="search" onKeyDownCapture={onArrow}>
      <View
        title={t.search}
        tools={
          <input
            id={SEARCH_FIELD}
            type="search"
            className={styles['input']}
            aria-label={t.search}
            placeholder={t.searchHint}
            value={words}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- whoever opens the search is about to type
            autoFocus
            onChange={({ target }) => void navigate({ to: '/search', search: { words: target.value }, replace: true })}
          />
        }
        fills
      >
        {asked === '' ? <Notice>{t.searchKeys}</Notice> : <Results words={asked} />}
      </View>
    </div>
  );
};
