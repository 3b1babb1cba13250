/** Deletes what is of no use in an image from a deployed package. Answers the bytes that went. */
export declare const prune: (folder: string) => number;
