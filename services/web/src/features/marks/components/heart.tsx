import { Heart as HeartIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { IconButton } from '../../../ui/icon-button.js';
import type { Marked, MarkedKind } from '../marked.js';
import { useMarks } from '../use-marks.js';

/** Makes an object a favourite, or takes that back. */
export const Heart = ({
  kind,
  object,
  name,
  isInTabOrder = true,
}: {
  readonly kind: MarkedKind;
  readonly object: Marked;
  readonly name: string;
  readonly isInTabOrder?: boolean;
}): ReactNode => {
  const { setFavourite } = useMarks(kind);
  return (
    <IconButton
      icon={HeartIcon}
      label={t.favourite(name)}
      isOn={object.flag}
      isFilled={object.flag}
      size={18}
      isInTabOrder={isInTabOrder}
      onPress={() => void setFavourite([object.id], !object.flag)}
    />
  );
};
