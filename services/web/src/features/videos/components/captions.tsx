import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Choice } from '../../../ui/fields.js';
import { Failure } from '../../../ui/view.js';
import { captionsQuery, captionTextQuery } from '../queries.js';

type Caption = Awaited<ReturnType<ReturnType<typeof captionsQuery>['queryFn']>>[number];

const namedCaption = ({ id, name, language }: Caption): readonly [string, string] => [
  id,
  [name, language === name ? null : language].filter(Boolean).join(' · ') || id,
];

/** Choice of the subtitles of a video; nothing where there are none. @param chosen empty for none */
export const CaptionChoice = ({
  id,
  chosen,
  onChoose,
}: {
  readonly id: string;
  readonly chosen: string;
  readonly onChoose: (caption: string) => void;
}): ReactNode => {
  const { data } = useQuery(captionsQuery(id));
  if (!data || data.length === 0) return null;
  return (
    <Choice isNamed label={t.subtitles} options={[['', t.noSubtitles], ...data.map(namedCaption)]} chosen={chosen} onChoose={onChoose} />
  );
};

/** Subtitles that the browser shows over a file. Put into a media element. */
export const CaptionTrack = ({ id, caption }: { readonly id: string; readonly caption: string }): ReactNode => {
  const { data: text } = useQuery(captionTextQuery(id, caption));
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (text === undefined) return undefined;
    const made = URL.createObjectURL(new Blob([text], { type: 'text/vtt' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return (
    url !== undefined && (
      <track key={url} kind="subtitles" src={url} default ref={(track) => void (track && (track.track.mode = 'showing'))} />
    )
  );
};

/** Why the chosen subtitles are not shown. */
export const CaptionFailure = ({ id, caption }: { readonly id: string; readonly caption: string }): ReactNode => {
  const { error, refetch } = useQuery(captionTextQuery(id, caption));
  return error && <Failure error={error} onRetry={() => void refetch()} />;
};
