import { watched } from '../../lib/watched.js';

/** A file that is sent, and how far that is. */
export interface Upload {
  readonly key: number;
  readonly name: string;
  readonly state: 'waiting' | 'sending' | 'reading' | 'done' | 'failed';
  /** Part that has been sent, 0 to 1. */
  readonly sent: number;
  /** Why it has failed. */
  readonly error?: unknown;
}

/** Sends a file; `onSent` is told the part that is sent, 0 to 1. */
export type SendFile = (file: File, onSent: (part: number) => void) => Promise<void>;

/** Sends files one after another. Each has its own state, so that one that fails stops no other. */
export class UploadQueue {
  readonly #files = new Map<number, File>();
  readonly uploads = watched<readonly Upload[]>([]);
  #isSending = false;
  #lastKey = 0;

  /** @param onRest told when nothing waits any more */
  constructor(
    private readonly send: SendFile,
    private readonly onRest: (uploads: readonly Upload[]) => void,
  ) {}

  add(files: Iterable<File>): void {
    for (const file of files) {
      this.#lastKey += 1;
      this.#files.set(this.#lastKey, file);
      this.uploads.set([...this.uploads.current(), { key: this.#lastKey, name: file.name, state: 'waiting', sent: 0 }]);
    }
    void this.#run();
  }

  /** Sends a file again that has failed. */
  retry(key: number): void {
    this.#change(key, { state: 'waiting', sent: 0, error: undefined });
    void this.#run();
  }

  /** True while a file is sent or waits. */
  isBusy(): boolean {
    return this.#isSending;
  }

  async #run(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let next = this.#waiting(); next; next = this.#waiting()) await this.#sendOne(next);
    this.#isSending = false;
    this.onRest(this.uploads.current());
  }

  #waiting(): Upload | undefined {
    return this.uploads.current().find(({ state }) => state === 'waiting');
  }

  async #sendOne({ key }: Upload): Promise<void> {
    const file = this.#files.get(key);
    if (!file) throw new Error('an upload lacks its file');
    this.#change(key, { state: 'sending' });
    try {
      await this.send(file, (sent) => this.#change(key, { sent, state: sent < 1 ? 'sending' : 'reading' }));
      this.#change(key, { state: 'done', sent: 1 });
      this.#files.delete(key);
    } catch (error) {
      this.#change(key, { state: 'failed', error });
    }
  }

  #change(key: number, change: Partial<Upload>): void {
    this.uploads.set(this.uploads.current().map((upload) => (upload.key === key ? { ...upload, ...change } : upload)));
  }
}
