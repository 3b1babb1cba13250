/** The image library; loaded with the first picture that is made, with its 15 MB of native code. */
export const loadSharp = async (): Promise<(typeof import('sharp'))['default']> => (await import('sharp')).default;
