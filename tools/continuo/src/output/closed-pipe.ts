/** Ends the program in silence when whoever read its output has gone, as `head` has after its lines: other programs are ended by a signal then. */
export const endWithReader = (output: NodeJS.WriteStream): void => {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
};
