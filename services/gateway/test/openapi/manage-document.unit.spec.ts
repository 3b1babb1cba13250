import { expect, it } from 'vitest';
import { documentPath } from './committed.js';
import { documentText } from './document.js';
import { manageDocument } from './manage/manage-document.js';
import { documentFaults } from './schema-check.js';

it('the committed document of the management API is that of its rows', async () => {
  await expect(documentText(manageDocument())).toMatchFileSnapshot(documentPath('manage'));
});

it('the document of the management API is valid', async () => {
  expect(await documentFaults(manageDocument())).toEqual([]);
});
