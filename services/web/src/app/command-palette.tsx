import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Autocomplete, Header, Input, Menu, MenuSection, SearchField } from 'react-aria-components';
import { player } from '../features/player/index.js';
import { useFound } from '../features/search/index.js';
import { bound, useSongActions } from '../features/songs/index.js';
import { t } from '../messages/index.js';
import { ActionItem } from '../ui/action-item.js';
import { perform, sentenceOf, type Action } from '../ui/action.js';
import { Dialog } from '../ui/dialog.js';
import { closeDialog } from '../ui/dialogs.js';
import { pageActions, type PageNeeds } from './actions.js';
import styles from './command-palette.module.css';

/** Actions under a heading. */
interface Group {
  readonly title: string;
  readonly actions: readonly Action[];
}

/** Actions on the song that plays. */
const useCurrent = (): Group => {
  const { current } = player.state().queue;
  const actions = useSongActions();
  if (!current) return { title: '', actions: [] };
  const suiting = actions.filter(({ isFor }) => isFor === undefined || isFor([current], 1));
  return { title: current.title, actions: suiting.map((action) => bound(action, { songs: [current], rows: [] })) };
};

/** Hits of a kind that are offered. */
const SHOWN = 5;

const matching = ({ title, actions }: Group, words: string): Group => ({
  title,
  actions: actions.filter(({ name }) =>
    words
      .toLocaleLowerCase()
      .split(/\s+/)
      .every((word) => name.toLocaleLowerCase().includes(word)),
  ),
});

/** Search results as actions: views to open, songs and programmes to play. While a search runs, those of the words before that suit the new ones. */
const useFoundGroups = (words: string, goTo: PageNeeds['goTo']): { readonly groups: readonly Group[]; readonly error: unknown } => {
  const { kinds, error, words: foundBy } = useFound(words, 'hits');
  const groups = kinds.map(({ title, icon, hits }) => ({
    title,
    actions: hits
      .slice(0, SHOWN)
      .map((hit): Action => ({ name: hit.name, icon, run: () => ('view' in hit ? goTo(hit.view) : hit.play()) })),
  }));
  return { groups: foundBy === words ? groups : groups.map((group) => matching(group, words)), error };
};

/** Every action of the page, and whatever the words find. Opened by Ctrl-K or ⌘K. */
export const CommandPalette = ({ needs }: { readonly needs: PageNeeds }): ReactNode => {
  const [typed, setTyped] = useState('');
  const [awaited, setAwaited] = useState<string>();
  const words = typed.trim();
  const { playback, places, others } = pageActions(needs);
  const current = useCurrent();
  const found = useFoundGroups(words, needs.goTo);
  const commands = [
    current,
    { title: t.player, actions: playback },
    { title: t.goTo, actions: places },
    { title: t.otherActions, actions: others },
  ].map((group) => matching(group, words));
  const groups = [...commands, ...found.groups].filter(({ actions }) => actions.length > 0);
  const list = useRef<HTMLDivElement>(null);
  const run = (action: Action): void => {
    closeDialog();
    void perform(action.run);
  };
  const first = groups[0]?.actions[0];
  // What is found after the last letter does not have the focus yet: Enter means the first of it, also when it is still to come.
  const runFirst = (): void => {
    if (!first) setAwaited(words);
    else if (!list.current?.querySelector('[data-focused]')) run(first);
  };
  useEffect(() => {
    if (!first || awaited !== words) return;
    setAwaited(undefined);
    run(first);
  });
  return (
    <Dialog title={t.palette}>
      <Autocomplete inputValue={typed} onInputChange={setTyped}>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the palette was opened to type */}
        <SearchField autoFocus aria-label={t.paletteHint} onSubmit={runFirst}>
          <Input placeholder={t.paletteHint} className={styles['input'] ?? ''} />
        </SearchField>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys, too */}
        <div ref={list} className={styles['list']} tabIndex={0} role="group" aria-label={t.palette}>
          <Menu className={styles['menu'] ?? ''} aria-label={t.palette} renderEmptyState={() => <p>{t.nothingFound(words)}</p>}>
            {groups.map(({ title, actions }) => (
              <MenuSection key={title} aria-label={title}>
                <Header className={styles['heading'] ?? ''}>{title}</Header>
                {actions.map((action, at) => (
                  // Two albums may have one name.
                  <ActionItem
                    key={`${title} ${at} ${action.name}`}
                    id={`${title} ${at} ${action.name}`}
                    action={action}
                    onAction={() => run(action)}
                  />
                ))}
              </MenuSection>
            ))}
          </Menu>
        </div>
      </Autocomplete>
      {found.error !== null && <p role="alert">{sentenceOf(found.error)}</p>}
    </Dialog>
  );
};
