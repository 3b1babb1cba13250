import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Play, ThumbsDown, ThumbsUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { viewOf } from '../../../lib/address.js';
import { reload } from '../../../lib/client.js';
import { t } from '../../../messages/index.js';
import { IconButton, PillButton } from '../../../ui/buttons.js';
import { LinkList, QueryState, View } from '../../../ui/view.js';
import { playStation } from '../../programmes/index.js';
import { partyAddress, vote, votedQuery } from '../queries.js';

const host = async (): Promise<void> => {
  const url = await partyAddress();
  if (url) await playStation({ id: 'party', name: t.party, url });
};

/** Songs requested for the party, most votes first. */
export const PartyView = (): ReactNode => {
  const query = useQuery({ ...votedQuery, staleTime: 0 });
  const cast = async (id: string, wants: boolean): Promise<void> => {
    await vote(id, wants);
    await reload(votedQuery.queryKey);
  };
  return (
    <View title={t.party} tools={<PillButton icon={Play} label={t.hostParty} onPress={host} />}>
      <QueryState of={query} emptyText={t.noRequests} />
      <LinkList>
        {query.data?.map(({ id, title, artist, album, vote: votes }) => (
          <li key={id}>
            <Link to={viewOf('albums', album.id)}>
              {title} – {artist.name}
            </Link>
            <span>{t.voteCount(votes)}</span>
            <span>
              <IconButton icon={ThumbsUp} label={t.voteFor(title)} onPress={() => cast(id, true)} />
              <IconButton icon={ThumbsDown} label={t.takeVoteBack(title)} onPress={() => cast(id, false)} />
            </span>
          </li>
        ))}
      </LinkList>
    </View>
  );
};
