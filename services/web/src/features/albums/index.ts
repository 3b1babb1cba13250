export { AlbumCard } from './components/album-card.js';
export { AlbumShelf } from './components/album-card.js';
export { albumFilterOf } from './filter.js';
export { artistAlbumsQuery, rankedAlbumsQuery, type AlbumRanking } from './queries.js';
