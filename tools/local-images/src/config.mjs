/** Whether the images take the ffmpeg of Debian's package, five times the size and there in seconds, instead of building ours. */
export const isDebiansFfmpeg = process.env.LOCAL_IMAGES_FFMPEG === 'debian';
/** Path of a Meilisearch that an image is made of, if there is one. */
export const meilisearchProgram = process.env.MEILI_BIN || undefined;
