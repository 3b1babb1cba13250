/** Something to undo before this process may end. */
export type Undo = () => Promise<void>;

const open = new Set<Undo>();

const onSignal = async (): Promise<void> => {
  await Promise.allSettled([...open].map((undo) => undo()));
  process.exit(1);
};

const listen = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void onSignal());
};

/**
 * Has something undone when this process is told to end: servers and folders of a benchmark must not outlive it.
 * Answers how to do it earlier; it is done once only.
 */
export const undoAtEnd = (undo: Undo): Undo => {
  if (open.size === 0) listen();
  let done: Promise<void> | undefined;
  const once: Undo = () => {
    done ??= undo().finally(() => open.delete(once));
    return done;
  };
  open.add(once);
  return once;
};
