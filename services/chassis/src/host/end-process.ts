/** Ends the process: the error is thrown where nobody catches it. Whoever keeps it running starts it again. */
export const endProcess = (fault: Error): void => {
  setImmediate(() => {
    throw fault;
  });
};
