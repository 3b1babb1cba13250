import { NOW_MS } from '../../servers/compat-server.js';
import type { OperationName } from '../../../src/apis/compat/registry/names.js';
import { browsed, call, type Case, type EndpointCases, golden, nothingThere, simple, why } from './case.js';

const starring = (first: Case): EndpointCases => ({
  success: [call({ id: ['so-1', 'fo-3'], albumId: 'al-1', artistId: 'ar-1' }), first],
  empty: why.does,
  badParameter: [{}, call({ id: '' })],
  notFound: [call({ id: 'so-999' }), call({ albumId: 'al-999' }), call({ artistId: 'x' })],
  notAllowed: why.everybody,
});

const account = { username: 'new', password: 'p', email: 'new@example.org' };

/** Cases of operations about accounts, playlists, shares, opinions and messages. */
export const peopleCases = {
  getPlaylists: {
    success: [golden(''), golden('of', { username: 'listener' })],
    empty: [nothingThere],
    badParameter: [call({ username: '' }, { code: 'ok' })],
    notFound: [golden('unknown', { username: 'nobody' })],
    notAllowed: [call({ username: 'listener' }, { as: 'bob' })],
  },
  getPlaylist: browsed('pl-1', 'so-1', {
    success: [golden('', { id: 'pl-1' }), golden('system', { id: 'pl-4' }), golden('smartlist', { id: 'sp-1' })],
    empty: [golden('empty', { id: 'pl-2' })],
    notFound: [
      golden('unknown', { id: 'pl-99' }),
      golden('smartlist-unknown', { id: 'sp-99' }),
      call({ id: 'so-1' }),
      call({ id: 'nonsense' }),
    ],
  }),
  createPlaylist: {
    success: [golden('', { name: 'New', songId: ['so-1', 'so-2'] }), golden('replace', { playlistId: 'pl-1', songId: ['so-1'] })],
    empty: [call({ name: 'New' })],
    badParameter: [{}, golden('missing', { songId: 'so-1' }), call({ name: ' ' })],
    notFound: [call({ playlistId: 'pl-999' }), golden('unknown-song', { name: 'New', songId: 'so-999' })],
    notAllowed: [call({ playlistId: 'pl-4', songId: 'so-1' }, { as: 'bob' })],
  },
  updatePlaylist: {
    success: [
      golden('', { playlistId: 'pl-1', name: 'x', comment: 'y', songIndexToRemove: 0, songIdToAdd: 'so-1' }),
      call({ playlistId: 'pl-1', public: true }),
    ],
    empty: why.does,
    badParameter: [
      {},
      golden('index', { playlistId: 'pl-1', songIndexToRemove: 3 }),
      call({ playlistId: 'pl-1', songIndexToRemove: 'x' }),
      call({ playlistId: 'pl-1', name: 'x'.repeat(5000) }),
    ],
    notFound: [golden('unknown', { playlistId: 'pl-99' }), call({ playlistId: 'pl-1', songIdToAdd: 'so-999' })],
    notAllowed: [call({ playlistId: 'pl-4', name: 'x' }, { as: 'bob' }), golden('smartlist', { playlistId: 'sp-1', name: 'x' })],
  },
  deletePlaylist: {
    success: [golden('', { id: 'pl-2' }), golden('smartlist', { id: 'sp-1' })],
    empty: why.does,
    badParameter: [{}],
    notFound: [golden('unknown', { id: 'pl-99' }), call({ id: 'so-1' })],
    notAllowed: [call({ id: 'pl-4' }, { as: 'bob' })],
  },

  star: starring(golden('', { id: 'so-1', albumId: 'al-1' })),
  unstar: starring(golden('', { artistId: 'ar-2' })),
  setRating: {
    success: [golden('', { id: 'so-1', rating: 5 }), call({ id: 'al-1', rating: 0 })],
    empty: why.does,
    badParameter: [{}, call({ id: 'so-1' }), call({ id: 'so-1', rating: 6 }), call({ id: 'so-1', rating: '4.5' })],
    notFound: [call({ id: 'so-999', rating: 1 }), call({ id: 'us-1', rating: 1 })],
    notAllowed: why.everybody,
  },

  getShares: simple([nothingThere], { notAllowed: [{ as: 'gus' }] }),
  createShare: {
    success: [
      golden('', { id: 'so-2', description: 'A song' }),
      call({ id: 'so-2', expires: 1_900_000_000_000 }),
      golden('several', { id: ['al-1', 'so-2'] }),
      golden('playlist', { id: 'pl-1' }),
      golden('smartlist', { id: 'sp-1' }),
      golden('video', { id: 'vi-1' }),
    ],
    empty: 'a share has something in it',
    badParameter: [golden('missing'), call({ id: 'so-2', expires: 'soon' }, { code: 'ok' })],
    notFound: [golden('unknown', { id: 'so-999' }), golden('kind', { id: 'fo-1' }), golden('mixed-video', { id: ['vi-1', 'so-2'] })],
    notAllowed: [call({ id: 'so-2' }, { as: 'gus' })],
  },
  updateShare: {
    success: [golden('', { id: 'sh-1', description: 'x', expires: 0 })],
    empty: why.does,
    badParameter: [{}],
    notFound: [golden('unknown', { id: 'sh-99' }), call({ id: 'x' })],
    notAllowed: [call({ id: 'sh-1' }, { as: 'gus' }), call({ id: 'sh-1' }, { as: 'bob', code: 70 })],
  },
  deleteShare: {
    success: [golden('', { id: 'sh-1' })],
    empty: why.does,
    badParameter: [{}],
    notFound: [golden('unknown', { id: 'sh-99' })],
    notAllowed: [call({ id: 'sh-1' }, { as: 'gus' }), call({ id: 'sh-1' }, { as: 'bob', code: 70 })],
  },

  getChatMessages: {
    success: [golden(''), golden('since', { since: NOW_MS - 3 * 60_000 })],
    empty: [golden('none', { since: NOW_MS }), nothingThere],
    badParameter: [call({ since: 'x' }, { code: 'ok' })],
    notFound: why.namesNothing,
    notAllowed: why.everybody,
  },
  addChatMessage: {
    success: [golden('', { message: 'hello' })],
    empty: why.does,
    badParameter: [{}, call({ message: 'x'.repeat(10_000) })],
    notFound: why.namesNothing,
    notAllowed: [call({ message: 'hello' }, { as: 'gus' })],
  },

  getUser: {
    success: [golden('', { username: 'ada' }), call({ username: 'listener' })],
    empty: why.noList,
    badParameter: [{}],
    notFound: [call({ username: 'nobody' })],
    notAllowed: [call({ username: 'ada' }, { as: 'bob' })],
  },
  getUsers: simple('who asks is an account', { success: [{}], notAllowed: [{ as: 'mia' }] }),
  getAvatar: {
    success: [call({ username: 'admin' })],
    empty: why.bytes,
    badParameter: [{}],
    notFound: [call({ username: 'nobody' }), call({ username: 'listener' })],
    notAllowed: [call({ username: 'admin' }, { as: 'bob' })],
  },
  createUser: {
    success: [
      golden('', { ...account, password: 'enc:6e6577' }),
      call({ ...account, adminRole: false }),
      golden('folders', { ...account, musicFolderId: '1' }),
    ],
    empty: why.does,
    badParameter: [
      {},
      golden('address', { ...account, email: 'nowhere' }),
      call({ ...account, username: '12' }),
      golden('taken', { ...account, username: 'taken' }, { code: 0 }),
    ],
    notFound: why.namesNothing,
    notAllowed: [call(account, { as: 'mia' })],
  },
  updateUser: {
    success: [golden('', { username: 'listener', maxBitRate: 128 })],
    empty: why.does,
    badParameter: [{}, golden('bitrate', { username: 'listener', maxBitRate: 127 }), call({ username: 'listener', email: 'x' })],
    notFound: [call({ username: 'nobody' })],
    notAllowed: [call({ username: 'listener' }, { as: 'bob' })],
  },
  deleteUser: {
    success: [golden('', { username: 'listener' })],
    empty: why.does,
    badParameter: [{}],
    notFound: [golden('unknown', { username: 'nobody' })],
    notAllowed: [call({ username: 'listener' }, { as: 'mia' }), golden('administrator', { username: 'admin' })],
  },
  changePassword: {
    success: [golden('', { username: 'listener', password: 'enc:6e6577' }), call({ username: 'listener', password: 'new' })],
    empty: why.does,
    badParameter: [{}, call({ username: 'listener' })],
    notFound: [call({ username: 'nobody', password: 'new' })],
    notAllowed: [call({ username: 'listener', password: 'new' }, { as: 'bob' }), call({ username: 'gus', password: 'new' }, { as: 'gus' })],
  },
} satisfies Partial<Record<OperationName, EndpointCases>>;
