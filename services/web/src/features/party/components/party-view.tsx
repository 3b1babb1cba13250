import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Play, ThumbsDown, ThumbsUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { announceFailure } from '../../../ui/announcements.js';
import { IconButton } from '../../../ui/icon-button.js';
import { LinkList } from '../../../ui/link-list.js';
import { PillButton } from '../../../ui/pill-button.js';
import { QueryState } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { playStation } from '../../programmes/index.js';
import { partyAddress, vote, votedQuery } from '../queries.js';

const host = async (): Promise<void> => {
  const url = await partyAddress();
  if (url) await playStation({ id: 'party', name: t.party, url });
};

/** Songs requested for the party, most votes first. */
export const PartyView = (): ReactNode => {
  const client = useQueryClient();
  const query = useQuery({ ...votedQuery, staleTime: 0 });
  const cast = (id: string, wants: boolean): void => {
    vote(id, wants)
      .then(() => client.invalidateQueries({ queryKey: votedQuery.queryKey }))
      .catch(announceFailure);
  };
  return (
    <View title={t.party} tools={<PillButton icon={Play} label={t.hostParty} onPress={() => void host().catch(announceFailure)} />}>
      <QueryState of={query} emptyText={t.noRequests} />
      <LinkList>
        {query.data?.map(({ id, title, artist, album, vote: votes }) => (
          <li key={id}>
            <Link to="/albums/$id" params={{ id: album.id }}>
              {title} – {artist.name}
            </Link>
            <span>{t.voteCount(votes)}</span>
            <span>
              <IconButton icon={ThumbsUp} label={t.voteFor(title)} size={18} onPress={() => cast(id, true)} />
              <IconButton icon={ThumbsDown} label={t.takeVoteBack(title)} size={18} onPress={() => cast(id, false)} />
            </span>
          </li>
        ))}
      </LinkList>
    </View>
  );
};
