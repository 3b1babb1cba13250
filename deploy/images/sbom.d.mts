/** What an image holds of npm, as CycloneDX. @param name of the package */
export declare const billOf: (name: string) => unknown;
