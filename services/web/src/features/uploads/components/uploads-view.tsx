import { Link } from '@tanstack/react-router';
import { useRef, type ReactNode } from 'react';
import { Check, RotateCcw, Upload as UploadIcon } from 'lucide-react';
import { useWatched } from '../../../lib/watched.js';
import { t } from '../../../messages/index.js';
import { sentenceOf } from '../../../ui/action.js';
import { IconButton, PillButton } from '../../../ui/buttons.js';
import { LinkList, Notice, View } from '../../../ui/view.js';
import { uploads } from '../instance.js';
import type { Upload } from '../upload-queue.js';
import { useMayUpload } from '../use-may-upload.js';
import styles from './uploads-view.module.css';

const STATES: Readonly<Record<Upload['state'], string>> = {
  waiting: t.uploadWaits,
  sending: t.uploadSends,
  reading: t.uploadReads,
  done: t.uploadDone,
  failed: t.failed,
};

const UploadRow = ({ upload: { key, name, state, sent, error } }: { readonly upload: Upload }): ReactNode => (
  <li>
    <span>{name}</span>
    <span className={state === 'failed' ? styles['failed'] : undefined}>{state === 'failed' ? sentenceOf(error) : STATES[state]}</span>
    {(state === 'sending' || state === 'reading') && (
      <progress aria-label={t.uploadOf(name)} {...(state === 'sending' ? { value: sent, max: 1 } : {})} />
    )}
    {state === 'done' && <Check size={18} aria-hidden />}
    {state === 'failed' && <IconButton icon={RotateCcw} label={t.uploadAgain(name)} onPress={() => uploads.retry(key)} />}
  </li>
);

/** Files that were given to this page, how far each of them is, and a way to choose more. */
export const UploadsView = (): ReactNode => {
  const input = useRef<HTMLInputElement>(null);
  const all = useWatched(uploads.uploads);
  const mayUpload = useMayUpload();
  return (
    <View
      title={t.uploads}
      tools={mayUpload && <PillButton icon={UploadIcon} label={t.chooseFiles} onPress={() => input.current?.click()} />}
    >
      <input
        ref={input}
        hidden
        type="file"
        multiple
        accept="audio/*,video/*,.flac,.opus,.ogg,.m4a,.wma,.ape,.wv,.aiff"
        aria-label={t.chooseFiles}
        onChange={({ target }) => {
          uploads.add(target.files ?? []);
          target.value = '';
        }}
      />
      {all.length === 0 && <Notice>{mayUpload ? t.uploadHint : t.mayNotUpload}</Notice>}
      <LinkList>
        {all.map((upload) => (
          <UploadRow key={upload.key} upload={upload} />
        ))}
      </LinkList>
      {all.some(({ state }) => state === 'done') && (
        <Notice>
          <Link to="/songs" search={{ order: 'addition_time,DESC' }}>
            {t.seeUploaded}
          </Link>
        </Notice>
      )}
    </View>
  );
};
