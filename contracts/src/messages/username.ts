/** The form in which user names are compared and kept unique: compatibility-normalised and case-folded, without surrounding space. */
export const usernameKey = (username: string): string => username.normalize('NFKC').trim().toLowerCase();
