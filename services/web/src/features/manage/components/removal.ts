import type { ManagePaths } from '@continuo/client';
import { Trash2 } from 'lucide-react';
import { answered, manage } from '../api.js';
import { m } from '../messages/index.js';
import { confirm } from './form-dialog.js';
import type { RowAction } from './item-table.js';

/** Addresses of single things that the management API deletes. */
type Removable = { [P in keyof ManagePaths]: ManagePaths[P] extends { delete: object } ? P : never }[keyof ManagePaths] & `${string}/{id}`;

/** Deletes the thing of a row once a question is answered; without a `label` the button of the question says what the row's does. */
export const removal = <T extends { readonly id: string | number }>(
  path: Removable,
  nameOf: (item: T) => string,
  { title, text, label }: { readonly title: (name: string) => string; readonly text: string; readonly label?: string },
): RowAction<T> => ({
  name: (item) => m.remove(nameOf(item)),
  icon: Trash2,
  run: (item) => {
    const name = nameOf(item);
    // The compiler cannot follow a path that is a parameter.
    const remove = () => answered(manage.DELETE(path as '/catalogs/{id}', { params: { path: { id: item.id } } } as never));
    confirm(title(name), text, label ?? m.remove(name), remove);
  },
});
