import { commandClientContract } from './command-client.contract.js';
import { InMemoryCommandClient } from './in-memory-command-client.js';

commandClientContract('InMemoryCommandClient', () => {
  const client = new InMemoryCommandClient();
  return Promise.resolve({
    client,
    answer: (definition, handler) => {
      client.handle(definition, handler);
      return Promise.resolve();
    },
    stop: () => Promise.resolve(),
  });
});
