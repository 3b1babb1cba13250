import { parentPort, workerData } from 'node:worker_threads';
import { readPictureFile, readTrack } from './read-track.js';
import type { FoundPicture, ReadLimits } from './tag-reader.js';
import type { WorkerReply, WorkerTask } from './worker-messages.js';

// The thread's entry point. It imports nothing of the chassis, so that it starts in milliseconds and can run from sources as well.
const port = parentPort;
if (port === null) throw new Error('this module runs in a worker thread only');
const limits = workerData as ReadLimits;

/** The bytes of a picture in a buffer of their own: parts of a larger one would be copied whole on the way to the main thread. */
const owned = (picture: FoundPicture): FoundPicture & { bytes: Uint8Array<ArrayBuffer> } => {
  const whole = picture.bytes.buffer instanceof ArrayBuffer && picture.bytes.byteLength === picture.bytes.buffer.byteLength;
  return { ...picture, bytes: whole ? (picture.bytes as Uint8Array<ArrayBuffer>) : Uint8Array.from(picture.bytes) };
};

const answer = async (task: WorkerTask): Promise<{ reply: WorkerReply; transfer: ArrayBuffer[] }> => {
  if (task.kind === 'picture') {
    const result = await readPictureFile(task.path, limits);
    if (!result.ok) return { reply: { id: task.id, result }, transfer: [] };
    const picture = owned(result.picture);
    return { reply: { id: task.id, result: { ok: true, picture } }, transfer: [picture.bytes.buffer] };
  }
  const result = await readTrack(task.request, limits);
  if (!result.ok || result.picture === undefined) return { reply: { id: task.id, result }, transfer: [] };
  const picture = owned(result.picture);
  return { reply: { id: task.id, result: { ...result, picture } }, transfer: [picture.bytes.buffer] };
};

port.on('message', (task: WorkerTask) => {
  answer(task).then(
    ({ reply, transfer }) => port.postMessage(reply, transfer),
    (error: unknown) => port.postMessage({ id: task.id, error: String(error) } satisfies WorkerReply),
  );
});
