import { useQuery } from '@tanstack/react-query';
import { UserCheck, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Failure, LinkList, Notice, Section, useData, View } from '../../../ui/view.js';
import { PillButton } from '../../../ui/buttons.js';
import { commentsQuery, namedQuery, peopleQuery, timelineQuery, toggleFollow } from '../queries.js';

const ACTION_NAMES: Readonly<Record<string, string>> = {
  play: t.activityPlay,
  rating: t.activityRating,
  userflag: t.activityFavourite,
  follow: t.activityFollow,
  shout: t.activityComment,
  share: t.activityShare,
  upload: t.activityUpload,
};

interface Event {
  readonly type: string;
  readonly id: string;
  readonly who: string;
  readonly what: string;
  readonly atS: number;
}

/** Something that somebody did with an object, or said of it. */
const EventRow = ({ type, id, who, what, atS }: Event): ReactNode => {
  const { data: name, error } = useQuery(namedQuery(type, id));
  return (
    <li>
      <span>
        <strong>{who}</strong> {what} {name ?? (error ? t.goneObject : '…')}
      </span>
      <time dateTime={new Date(atS * 1000).toISOString()}>{t.moment(new Date(atS * 1000))}</time>
    </li>
  );
};

const People = (): ReactNode => {
  const [data, state] = useData(peopleQuery);
  if (!data) return state;
  if (data.length === 0) return <Notice>{t.nobodyElse}</Notice>;
  return (
    <LinkList>
      {data.map(({ id, username, isFollowed }) => (
        <li key={id}>
          <span>{username}</span>
          <PillButton
            icon={isFollowed ? UserCheck : UserPlus}
            label={isFollowed ? t.unfollow(username) : t.follow(username)}
            onPress={() => toggleFollow(id)}
          />
        </li>
      ))}
    </LinkList>
  );
};

/** Accounts of this server, what those that one follows do, and the newest comments. */
export const PeopleView = (): ReactNode => {
  const timeline = useQuery(timelineQuery);
  const comments = useQuery(commentsQuery);
  const failed = [timeline, comments].find(({ error }) => error !== null);
  return (
    <View title={t.people}>
      {failed && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
      <People />
      {timeline.data && timeline.data.length > 0 && (
        <Section title={t.timeline} isFlush>
          <LinkList>
            {timeline.data.map(({ id, object_type: type, object_id: object, action, user, date }) => (
              <EventRow key={id} type={type} id={object} who={user.username} what={ACTION_NAMES[action] ?? action} atS={date} />
            ))}
          </LinkList>
        </Section>
      )}
      {comments.data && comments.data.length > 0 && (
        <Section title={t.comments} isFlush>
          <LinkList>
            {comments.data.map(({ id, object_type: type, object_id: object, text, user, date }) => (
              <EventRow key={id} type={type} id={object} who={user.username} what={t.saidOf(text)} atS={date} />
            ))}
          </LinkList>
        </Section>
      )}
    </View>
  );
};
