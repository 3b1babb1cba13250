/** Path of a Meilisearch that an image is made of, if there is one. */
export const meilisearchProgram = process.env.MEILI_BIN || undefined;
