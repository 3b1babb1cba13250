import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { argv } from 'node:process';
import { pipeline } from 'node:stream/promises';

/**
 * The plainest file server that Node can be: the yardstick of the streaming benchmark, run as a process of its own.
 * Arguments: the file. Prints its port and serves the file on every path until it is ended.
 */
const [, , path = ''] = argv;
const { size } = await stat(path);
const server = createServer((_, answer) => {
  answer.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size });
  // A client that goes away ends the pipeline; that is no fault.
  pipeline(createReadStream(path), answer).catch(() => answer.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`);
});
