import { describe, expect, it } from 'vitest';
import { restCallOf } from './routes.js';

describe('restCallOf', () => {
  it('leaves the kind of what is filed in a folder, or put into a list, to the call', () => {
    const filter = '2';
    expect(restCallOf('PUT', '/playlist-folders/2/items')).toEqual({ action: 'playlist_folder_add', params: { filter } });
    expect(restCallOf('DELETE', '/playlist-folders/2/items')).toEqual({ action: 'playlist_folder_remove', params: { filter } });
    expect(restCallOf('POST', '/playlists/2/add')).toEqual({ action: 'playlist_add', params: { filter } });
  });
  it('says the type of the path everywhere else', () => {
    expect(restCallOf('POST', '/albums/2/rate')).toEqual({ action: 'rate', params: { type: 'album', filter: '2' } });
    expect(restCallOf('GET', '/collections/2/items')?.action).toBe('collection_items');
  });
});
