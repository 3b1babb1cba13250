import { sortKey } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { LibraryFacts } from './random-facts.js';
import { albumRow, artistRows, countBy, diskRows, numbered, songRows, withSongs, type Row } from './seed-rows.js';

const insert = async (db: Kysely<unknown>, table: string, rows: readonly Row[]): Promise<void> => {
  const [first] = rows;
  if (!first) return;
  const [schema = '', name = ''] = table.split('.');
  const columns = sql.join(Object.keys(first).map((column) => sql.id(column)));
  await sql`insert into ${sql.id(schema, name)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${sql.id(schema, name)}, ${JSON.stringify(rows)}::jsonb)`.execute(db);
};

const seedArtistSums = async (db: Kysely<unknown>, facts: LibraryFacts): Promise<void> => {
  const ofSongs = countBy(facts.songs.flatMap((song) => song.artists.map((artist) => [artist, song.catalog])));
  const ofAlbums = countBy(withSongs(facts).flatMap((album) => album.artists.map((artist) => [artist, album.catalog])));
  const keys = [...new Set([...ofSongs, ...ofAlbums].map(({ key }) => String(key)))];
  const counted = (counts: typeof ofSongs, key: string) => counts.find((entry) => String(entry.key) === key)?.count ?? 0;
  await insert(
    db,
    'library.artist_catalog',
    keys.map((key) => {
      const [artist_id, catalog_id] = key.split(',').map(Number);
      return { artist_id, catalog_id, song_count: counted(ofSongs, key), album_count: counted(ofAlbums, key) };
    }),
  );
  const genres = countBy(facts.songs.flatMap((song) => song.artists.flatMap((artist) => song.genres.map((genre) => [artist, genre]))));
  await insert(
    db,
    'library.artist_genre',
    genres.map(({ key: [artist_id, genre_id], count }) => ({ artist_id, genre_id, song_count: count })),
  );
  const labels = countBy(
    withSongs(facts).flatMap((album) => album.artists.flatMap((artist) => album.labels.map((label) => [artist, label]))),
  );
  await insert(
    db,
    'library.artist_label',
    labels.map(({ key: [artist_id, label_id], count }) => ({ artist_id, label_id, album_count: count })),
  );
};

const seedNames = async (db: Kysely<unknown>, facts: LibraryFacts): Promise<void> => {
  const { songs } = facts;
  await insert(
    db,
    'library.genre',
    facts.genres.map(({ id, name, hidden }) => {
      const own = songs.filter(({ genres }) => genres.includes(id));
      const counts = { song_count: own.length, album_count: new Set(own.map(({ album }) => album)).size };
      return { id, name, name_sort: sortKey(name), hidden, ...counts, artist_count: new Set(own.flatMap(({ artists }) => artists)).size };
    }),
  );
  await insert(
    db,
    'library.label',
    facts.labels.map(({ id, name }) => {
      const own = withSongs(facts).filter(({ labels }) => labels.includes(id));
      return {
        id,
        name,
        name_sort: sortKey(name),
        album_count: own.length,
        artist_count: new Set(own.flatMap(({ artists }) => artists)).size,
      };
    }),
  );
  await insert(
    db,
    'library.license',
    facts.licenses.map(({ id, name, link }) => {
      const own = songs.filter(({ license }) => license === id);
      return { id, name, name_sort: sortKey(name), external_link: link, song_count: own.length };
    }),
  );
};

const seedPlaces = async (db: Kysely<unknown>, facts: LibraryFacts): Promise<void> => {
  await insert(
    db,
    'library.catalog',
    facts.catalogs.map(({ id, name, type, gatherTypes, enabled, renamePattern, sortPattern }) => ({
      id,
      name,
      type,
      gather_types: gatherTypes,
      path: `/${id}`,
      enabled,
      rename_pattern: renamePattern,
      sort_pattern: sortPattern,
      added_at_ms: 1,
      song_count: 0,
    })),
  );
  await insert(
    db,
    'library.folder',
    facts.folders.map(({ id, catalog, parent, name, present }) => ({
      id,
      catalog_id: catalog,
      parent_id: parent,
      path: name,
      name,
      name_sort: sortKey(name),
      present,
      song_count: facts.songs.filter(({ folder }) => folder === id).length,
      duration_ms: 0,
    })),
  );
  await insert(
    db,
    'ingestion.scan',
    facts.catalogs.flatMap(({ id, scannedAtMs }) =>
      scannedAtMs === null
        ? []
        : [
            {
              id: String(id),
              catalog_id: id,
              state: 'finished',
              requested_at_ms: 1,
              updated_at_ms: 1,
              finished_at_ms: scannedAtMs,
              ...noCounts,
            },
          ],
    ),
  );
};
const noCounts = {
  folders_seen: 0,
  files_seen: 0,
  songs_added: 0,
  songs_changed: 0,
  songs_moved: 0,
  songs_removed: 0,
  files_skipped: 0,
};

const seedSongs = async (db: Kysely<unknown>, facts: LibraryFacts): Promise<void> => {
  const { albums, songs } = facts;
  await insert(db, 'library.song', songRows(facts));
  await insert(
    db,
    'library.song_artist',
    songs.flatMap((song) => numbered(song.artists, (artist_id) => ({ song_id: song.id, artist_id }))),
  );
  await insert(
    db,
    'library.song_genre',
    songs.flatMap((song) => numbered(song.genres, (genre_id) => ({ song_id: song.id, genre_id }))),
  );
  await insert(
    db,
    'library.song_mood',
    songs.flatMap((song) => numbered(song.moods, (mood_id) => ({ song_id: song.id, mood_id }))),
  );
  await insert(
    db,
    'library.album',
    albums.map((album) => albumRow(facts, album)),
  );
  await insert(db, 'library.album_disk', diskRows(facts));
  await insert(
    db,
    'library.album_artist',
    albums.flatMap((album) => numbered(album.artists, (artist_id) => ({ album_id: album.id, artist_id }))),
  );
  await insert(
    db,
    'library.album_label',
    withSongs(facts).flatMap((album) => numbered(album.labels, (label_id) => ({ album_id: album.id, label_id }))),
  );
  const genres = countBy(songs.flatMap((song) => song.genres.map((genre) => [song.album, genre])));
  await insert(
    db,
    'library.album_genre',
    genres.map(({ key: [album_id, genre_id], count }) => ({ album_id, genre_id, song_count: count })),
  );
};

const seedShares = (db: Kysely<unknown>, { shares }: LibraryFacts): Promise<void> =>
  insert(
    db,
    'social.share',
    shares.map(({ id, user, kind, object, download, createdAtMs, expiresAtMs, visits }) => ({
      id,
      user_id: user,
      kind,
      object_id: object,
      object_ids: [object],
      description: '',
      allow_stream: true,
      allow_download: download,
      created_at_ms: createdAtMs,
      expires_at_ms: expiresAtMs,
      max_visits: 0,
      visit_count: visits,
      last_visited_at_ms: visits > 0 ? createdAtMs : null,
      secret_sha256: '',
      sealed_secret: '',
    })),
  );

const seedPlaylists = async (db: Kysely<unknown>, { playlists }: LibraryFacts): Promise<void> => {
  await insert(
    db,
    'library.playlist',
    playlists.map(({ id, owner, name, isPublic, collaborators, createdAtMs, updatedAtMs, songs }) => ({
      id,
      owner_id: owner,
      name,
      name_sort: sortKey(name),
      is_public: isPublic,
      comment: '',
      collaborator_ids: collaborators,
      created_at_ms: createdAtMs,
      updated_at_ms: updatedAtMs,
      revision: 1,
      member_count: songs.length,
    })),
  );
  const members = playlists.flatMap(({ id, createdAtMs, songs }) =>
    songs.map((song, index) => ({
      playlist_id: id,
      entry: index + 1,
      rank: index + 1,
      object_kind: 'song',
      object_id: song,
      added_at_ms: createdAtMs,
    })),
  );
  await insert(db, 'library.playlist_member', members);
};

const seedSmartlists = (db: Kysely<unknown>, { smartlists }: LibraryFacts): Promise<void> =>
  insert(
    db,
    'library.smartlist',
    smartlists.map(({ id, owner, name, isPublic, collaborators, createdAtMs, updatedAtMs, limit, isRandom, lastCount }) => ({
      id,
      owner_id: owner,
      name,
      name_sort: sortKey(name),
      is_public: isPublic,
      collaborator_ids: collaborators,
      created_at_ms: createdAtMs,
      updated_at_ms: updatedAtMs,
      rules: '[]',
      logic: 'and',
      is_random: isRandom,
      song_limit: limit,
      revision: 0,
      last_count: lastCount,
      last_duration_ms: 0,
      last_run_at_ms: null,
    })),
  );

const seedPeople = async (db: Kysely<unknown>, { users, follows, annotations, plays, deleted }: LibraryFacts): Promise<void> => {
  await insert(
    db,
    'social.user',
    users.map(({ id, username, fullName, fullNamePublic, email, city, access, disabled, createdAtMs }) => ({
      id,
      username,
      username_key: username.toLowerCase(),
      full_name: fullName,
      full_name_public: fullNamePublic,
      email,
      city,
      access,
      disabled,
      created_at_ms: createdAtMs,
    })),
  );
  await insert(
    db,
    'social.follow',
    follows.map(({ follower, followed, followedAtMs }) => ({ user_id: follower, followed_id: followed, followed_at_ms: followedAtMs })),
  );
  const rated = annotations.filter(({ rating }) => rating !== null);
  await insert(
    db,
    'social.rating',
    rated.map(({ user, kind, id, rating, ratedAtMs }) => ({ user_id: user, kind, object_id: id, rating, rated_at_ms: ratedAtMs })),
  );
  const flagged = annotations.filter(({ flaggedAtMs }) => flaggedAtMs !== null);
  await insert(
    db,
    'social.user_flag',
    flagged.map(({ user, kind, id, flaggedAtMs }) => ({ user_id: user, kind, object_id: id, flagged_at_ms: flaggedAtMs })),
  );
  await insert(
    db,
    'playback.song_plays',
    plays.map(({ song, plays: play_count, skips, lastPlayedAtMs }) => ({
      song_id: song,
      play_count,
      skip_count: skips,
      last_played_at_ms: lastPlayedAtMs,
    })),
  );
  await insert(
    db,
    'library.deleted_song',
    deleted.map(({ id, catalog, deletedAtMs }) => ({
      song_id: id,
      catalog_id: catalog,
      title: 'gone',
      file: '/gone',
      album_id: 1,
      added_at_ms: 1,
      updated_at_ms: 1,
      deleted_at_ms: deletedAtMs,
    })),
  );
};

const seedVideos = async (db: Kysely<unknown>, { videos, deleted }: LibraryFacts): Promise<void> => {
  await insert(
    db,
    'library.video',
    videos.map((video) => ({
      id: video.id,
      catalog_id: video.catalog,
      folder_id: video.catalog,
      file_name: `${video.id}.mp4`,
      path: `${video.id}.mp4`,
      title: video.title,
      title_sort: sortKey(video.title),
      format: 'mp4',
      mime: 'video/mp4',
      video_codec: video.codec,
      width_px: video.widthPx,
      height_px: 480,
      duration_ms: video.durationMs,
      bitrate_bps: 1,
      size_bytes: 1,
      mtime_ms: 1,
      release_date: video.releaseDate,
      added_at_ms: video.addedAtMs,
      updated_at_ms: video.updatedAtMs,
      random_key: 0.5,
      doc: '{"genres":[]}',
    })),
  );
  await insert(
    db,
    'library.video_folder',
    [1, 2, 3].map((id) => ({
      id,
      catalog_id: id,
      video_count: videos.filter(({ catalog }) => catalog === id).length,
      duration_ms: 0,
    })),
  );
  const tagged = videos.flatMap((video) => numbered(video.genres, (genre_id) => ({ video_id: video.id, genre_id })));
  await insert(db, 'library.video_genre', tagged);
  await insert(
    db,
    'library.deleted_video',
    deleted.map(({ id, catalog, deletedAtMs }) => ({
      video_id: id,
      catalog_id: catalog,
      title: 'gone',
      file: '/gone',
      added_at_ms: 1,
      deleted_at_ms: deletedAtMs,
    })),
  );
};

const seedStations = (db: Kysely<unknown>, { stations }: LibraryFacts): Promise<void> =>
  insert(
    db,
    'library.live_stream',
    stations.map(({ id, catalog, name, url, siteUrl, codec }) => ({
      id,
      catalog_id: catalog,
      name,
      name_sort: sortKey(name),
      url,
      site_url: siteUrl,
      codec,
      added_at_ms: 1,
      updated_at_ms: 1,
    })),
  );

/** Empty fields of these podcasts. */
const UNTOLD = { description: '', language: '', copyright: '', generator: '', author: '' } as const;
/** Episodes that nobody asked a file of. */
const UNASKED = { download_run: 0, is_asked: false, state_at_ms: 1 } as const;

const seedPodcasts = async (db: Kysely<unknown>, { podcasts, episodes }: LibraryFacts): Promise<void> => {
  await insert(
    db,
    'library.podcast',
    podcasts.map(({ id, catalog, title, websiteUrl, addedAtMs, updatedAtMs }) => ({
      id,
      catalog_id: catalog,
      feed_url: `https://feeds.example/${id}`,
      title,
      title_sort: sortKey(title),
      ...UNTOLD,
      website_url: websiteUrl,
      episode_count: episodes.filter(({ podcast }) => podcast === id).length,
      added_at_ms: addedAtMs,
      updated_at_ms: updatedAtMs,
    })),
  );
  await insert(
    db,
    'library.podcast_episode',
    episodes.map(({ id, podcast, catalog, title, author, category, ...one }) => ({
      id,
      podcast_id: podcast,
      catalog_id: catalog,
      title,
      title_sort: sortKey(title),
      description: '',
      author,
      category,
      published_at_ms: one.publishedAtMs,
      duration_ms: one.durationMs,
      media_url: `https://feeds.example/${id}.mp3`,
      state: one.state,
      path: one.state === 'completed' ? `podcast-${podcast}/${id}-1.mp3` : null,
      ...UNASKED,
      added_at_ms: one.addedAtMs,
      updated_at_ms: one.updatedAtMs,
    })),
  );
};

const seedEpisodeHistory = async (db: Kysely<unknown>, { episodePlays, deleted }: LibraryFacts): Promise<void> => {
  const gone = deleted.map(({ id, catalog, deletedAtMs }) => ({
    episode_id: id,
    podcast_id: 1,
    catalog_id: catalog,
    deleted_at_ms: deletedAtMs,
  }));
  await insert(
    db,
    'library.deleted_podcast_episode',
    gone.map((row) => ({ ...row, title: 'gone', path: '', added_at_ms: 1 })),
  );
  await insert(
    db,
    'playback.media_plays',
    episodePlays.map(({ episode, user, plays, lastPlayedAtMs }) => ({
      object_type: 'podcast_episode',
      object_id: episode,
      user_id: user,
      play_count: plays,
      last_played_at_ms: lastPlayedAtMs,
    })),
  );
};

/** Writes facts into an empty read model, with all that the owners of its tables sum up. */
export const seedFacts = async (db: Kysely<unknown>, facts: LibraryFacts): Promise<void> => {
  await seedPlaces(db, facts);
  await seedSongs(db, facts);
  // After what they are counted by, which the tables' own triggers would add again.
  await insert(db, 'library.artist', artistRows(facts));
  await seedNames(db, facts);
  await seedArtistSums(db, facts);
  await seedPeople(db, facts);
  await seedShares(db, facts);
  await seedVideos(db, facts);
  await seedStations(db, facts);
  await seedPodcasts(db, facts);
  await seedEpisodeHistory(db, facts);
  await seedPlaylists(db, facts);
  await seedSmartlists(db, facts);
  await sql`analyze`.execute(db);
};
