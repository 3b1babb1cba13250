import { Link } from '@tanstack/react-router';
import { useRef, useSyncExternalStore, type ReactNode } from 'react';
import { Check, RotateCcw, TriangleAlert, Upload as UploadIcon } from 'lucide-react';
import { t } from '../../../messages/index.js';
import { sentenceOf } from '../../../ui/announcements.js';
import { IconButton } from '../../../ui/icon-button.js';
import { PillButton } from '../../../ui/pill-button.js';
import { Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { uploads } from '../instance.js';
import type { Upload } from '../upload-queue.js';
import { useMayUpload } from '../use-may-upload.js';
import styles from './uploads-view.module.css';

const SMALL_PX = 18;
const STATES: Readonly<Record<Upload['state'], string>> = {
  waiting: t.uploadWaits,
  sending: t.uploadSends,
  reading: t.uploadReads,
  done: t.uploadDone,
  failed: t.failed,
};

const UploadRow = ({ upload: { key, name, state, sent, error } }: { readonly upload: Upload }): ReactNode => (
  <li data-state={state}>
    <span className={styles['name']}>
      {name}
      <span className={styles['state']}>{state === 'failed' ? sentenceOf(error) : STATES[state]}</span>
    </span>
    {(state === 'sending' || state === 'reading') && (
      <progress aria-label={t.uploadOf(name)} {...(state === 'sending' ? { value: sent, max: 1 } : {})} />
    )}
    {state === 'done' && <Check size={SMALL_PX} aria-hidden />}
    {state === 'failed' && (
      <>
        <TriangleAlert size={SMALL_PX} aria-hidden />
        <IconButton icon={RotateCcw} label={t.uploadAgain(name)} size={SMALL_PX} onPress={() => uploads.retry(key)} />
      </>
    )}
  </li>
);

/** Files that were given to this page, how far each of them is, and a way to choose more. */
export const UploadsView = (): ReactNode => {
  const input = useRef<HTMLInputElement>(null);
  const all = useSyncExternalStore(uploads.subscribe, uploads.uploads);
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
      <ul className={styles['list']} aria-label={t.uploads}>
        {all.map((upload) => (
          <UploadRow key={upload.key} upload={upload} />
        ))}
      </ul>
      {all.some(({ state }) => state === 'done') && (
        <p className={styles['more']}>
          <Link to="/songs" search={{ order: 'addition_time,DESC' }}>
            {t.seeUploaded}
          </Link>
        </p>
      )}
    </View>
  );
};
