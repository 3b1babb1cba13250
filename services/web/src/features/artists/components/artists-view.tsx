import { Link } from '@tanstack/react-router';
import { useDeferredValue, useState, type ReactNode } from 'react';
import { viewOf } from '../../../lib/address.js';
import { t } from '../../../messages/index.js';
import { FilterField } from '../../../ui/fields.js';
import { PagedList } from '../../../ui/paged-list.js';
import { View } from '../../../ui/view.js';
import { Heart } from '../../marks/index.js';
import { artistsOf, type ArtistSource } from '../queries.js';

const ROW_PX = 48;

/** A list of artists. */
export const ArtistList = ({ source, emptyText }: { readonly source: ArtistSource; readonly emptyText: string }): ReactNode => (
  <PagedList source={artistsOf(source)} name={JSON.stringify(source)} label={t.artists} emptyText={emptyText} rowPx={ROW_PX}>
    {(artist, isActive) => (
      <>
        <span role="gridcell">
          <Link to={viewOf('artists', artist.id)} tabIndex={isActive ? 0 : -1} data-focus>
            {artist.name}
          </Link>
        </span>
        <small role="gridcell">{t.albumCount(artist.albumcount)}</small>
        <span role="gridcell">
          <Heart kind="artist" object={artist} name={artist.name} isInTabOrder={isActive} />
        </span>
      </>
    )}
  </PagedList>
);

/** All artists who made an album. */
export const ArtistsView = (): ReactNode => {
  const [name, setName] = useState('');
  const asked = useDeferredValue(name.trim());
  return (
    <View title={t.artists} tools={<FilterField value={name} onFilter={(wanted = '') => setName(wanted)} />} fills>
      <ArtistList source={asked ? { name: asked } : {}} emptyText={asked ? t.nothingMatches : t.emptyLibrary} />
    </View>
  );
};
