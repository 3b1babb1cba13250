/** The Meilisearch server that the specs of `pnpm test:meili` talk to; undefined when none was named. */
export const liveMeilisearch = (): { readonly url: string; readonly key: string | undefined } | undefined => {
  const { MEILI_URL: url, MEILI_KEY: key } = process.env;
  return url === undefined || url === '' ? undefined : { url, key };
};
