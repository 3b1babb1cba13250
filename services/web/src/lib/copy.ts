/** Copies a text that a field holds. Browsers lend their clipboard over HTTPS only; elsewhere the old command does it. @throws when nothing was copied */
export const copyFrom = async (field: HTMLInputElement): Promise<void> => {
  field.select();
  if (isSecureContext) return navigator.clipboard.writeText(field.value);
  if (!document.execCommand('copy')) throw new Error('the browser does not copy');
};
