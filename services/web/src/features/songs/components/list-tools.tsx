import type { ReactNode } from 'react';
import { Tools } from '../../../ui/view.js';
import { PlayButtons } from '../../player/index.js';
import type { NamedList } from '../song-action.js';
import { ListMenu } from './list-menu.js';

/** Buttons above a list of songs: play, and a menu. @param children stand between the two */
export const ListTools = ({ children, ...list }: NamedList & { readonly children?: ReactNode }): ReactNode => (
  <Tools>
    <PlayButtons source={list.source} total={list.total} />
    {children}
    <ListMenu {...list} />
  </Tools>
);
