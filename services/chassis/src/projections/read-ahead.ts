/**
 * The items of a source, the next of which is made while one is worked on, where more is known to follow. When nobody wants more, `ending` is fired, which must end the
 * source even while it waits.
 */
export async function* readAhead<T>(source: AsyncGenerator<T>, ending: AbortController, hasMore: (item: T) => boolean): AsyncGenerator<T> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      const ahead = hasMore(value) ? source.next() : undefined;
      // A failure is told in its turn; nobody is left to hear it when the work on this item fails first.
      ahead?.catch(() => undefined);
      yield value;
      next = ahead ?? source.next();
    }
  } finally {
    ending.abort();
    await source.return(undefined);
  }
}
