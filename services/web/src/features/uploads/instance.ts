import { ApiError } from '../../lib/api.js';
import { base, session } from '../../lib/session.js';
import { t } from '../../messages/index.js';
import { announce } from '../../ui/action.js';
import { UploadQueue, type SendFile } from './upload-queue.js';

/** Answer of the API to an upload. */
interface Answer {
  readonly error?: { readonly errorCode: string; readonly errorMessage: string };
}

const answered = (request: XMLHttpRequest): void => {
  const { error } = (request.response ?? {}) as Answer;
  if (error) throw new ApiError(error.errorMessage, error.errorCode);
  if (request.status >= 400) throw new ApiError(t.refusedFile(request.status), String(request.status));
};

/** Sends a file as the body of a request: only XMLHttpRequest tells how far that is. */
const sendFile: SendFile = async (file, onSent) => {
  const authorization = await session.authorization();
  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${base}rest/8/json/upload?filename=${encodeURIComponent(file.name)}`);
    request.responseType = 'json';
    request.setRequestHeader('authorization', authorization);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0));
    request.addEventListener('error', () => reject(new TypeError('The connection broke off.')));
    request.addEventListener('load', () => {
      try {
        answered(request);
        resolve();
      } catch (error) {
        reject(error);
      }
    });
    request.send(file);
  });
};

/** Files that were given to this page to be uploaded. */
export const uploads = new UploadQueue(sendFile, (all) => {
  const failed = all.filter(({ state }) => state === 'failed').length;
  announce(t.uploadsDone(all.length - failed, failed));
});

addEventListener('beforeunload', (event) => uploads.isBusy() && event.preventDefault());
