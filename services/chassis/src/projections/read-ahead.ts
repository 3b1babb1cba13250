/**
 * The items of a source, the next of which is made while one is worked on. When nobody wants more, `ending` is fired, which must end the source even while it waits.
 */
export async function* readAhead<T>(source: AsyncGenerator<T>, ending: AbortController): AsyncGenerator<T> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      // A failure is told in its turn; nobody is left to hear it when the work on this item fails first.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    ending.abort();
    await source.return(undefined);
  }
}
