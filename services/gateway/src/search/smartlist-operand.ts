/** The number of a smartlist without the prefix that it has beside playlists. */
export const bareSmartlistId = (input: string): string => input.trim().replace(/^smart_/, '');

/** The number of the list that an operand names; 0 for none. */
export const smartlistOperand = (input: string): number => {
  const bare = bareSmartlistId(input);
  return /^\d{1,9}$/.test(bare) ? Number(bare) : 0;
};
