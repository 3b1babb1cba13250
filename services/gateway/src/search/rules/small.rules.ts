import { sql, type SqlBool } from 'kysely';
import { idOperand, type Comparison } from '../operands.js';
import { songSubject, type Related } from '../subject.js';
import type { Condition, TextTest } from '../text-tests.js';
import { genreCount, videoCount } from '../visible-counts.js';
import { rootFor } from './file.rules.js';
import { group, num, oneOf, ownNumber, rulesOf, text, type Making } from './rows.js';

// These rules ask columns of the searched thing alone, so that any subject does.
const rows = (...groups: Parameters<typeof rulesOf>[1]) => rulesOf(() => songSubject, groups);
const named = (test: TextTest): Condition => test(sql`t.name`, sql`t.name_sort`);

/** The category that label objects show: tags are where all labels come from. */
const CATEGORY = sql`'tag_generated'::text`;

/** Record labels. */
export const labelRules = rows(
  group(
    'Label',
    text('title', 'Name', named, { aliases: ['name'] }),
    text('category', 'Category', (test) => test(CATEGORY)),
    num('id', 'Database ID', ownNumber('id')),
  ),
);

const carried =
  (of: Related) =>
  (comparison: Comparison, { call }: Making): Condition =>
    comparison.test(genreCount(call.viewer, 't', of));

/** Genres, which are also called tags. */
export const genreRules = rows(
  group(
    '',
    text('title', 'Genre', named, { aliases: ['name'] }),
    num('album_count', 'Album Count', carried('album')),
    num('artist_count', 'Artist Count', carried('artist')),
    num('song_count', 'Song Count', carried('song')),
    num('video_count', 'Video Count', (comparison, { call }) => comparison.test(videoCount(call.viewer, 't')), { gate: 'video' }),
  ),
);

const USERNAME = sql`t.username`;
// What an account does not show may not be found out by searching for it either.
const ofViewer = ({ call: { viewer } }: Making): Condition =>
  viewer.isAdministrator === true ? sql<SqlBool>`true` : sql<SqlBool>`t.id = ${viewer.userId}`;
const fullName = (making: Making) => sql`case when t.full_name_public or ${ofViewer(making)} then t.full_name end`;
const email = (making: Making) => sql`case when ${ofViewer(making)} then t.email end`;

/** Accounts, by what the caller may see of them. */
export const userRules = rows(
  group(
    '',
    text('name', 'Name', (test, making) => sql<SqlBool>`(${test(USERNAME)} or ${test(fullName(making))} or ${test(email(making))})`, {
      aliases: ['title'],
      volatile: true,
    }),
    text('username', 'Username', (test) => test(USERNAME), { volatile: true }),
    text('fullname', 'Full Name', (test, making) => test(fullName(making)), { volatile: true }),
    text('email', 'E-mail', (test, making) => test(email(making)), { volatile: true }),
  ),
);

/** The operand of `type` for a list that only some may open; a public one is 0. */
const PRIVATE = 1;

/** Playlists. */
export const playlistRules = rows(
  group(
    'Playlist',
    text('title', 'Name', named, { aliases: ['name'], volatile: true }),
    oneOf('type', 'Type', ({ call }) => sql<SqlBool>`t.is_public = ${idOperand(call.rule) !== PRIVATE}`, {
      select: 'list-types',
      volatile: true,
    }),
    oneOf('owner', 'Owner', ({ call }) => sql<SqlBool>`t.owner_id = ${idOperand(call.rule)}::bigint`, { select: 'users', volatile: true }),
    num('id', 'Database ID', ownNumber('id')),
  ),
);

/** Videos, by their paths; `c` is the catalog. */
export const videoRules = rows(
  group(
    '',
    text('file', 'Filename', (test, { call }) => test(sql`${rootFor(call.viewer, sql`c.path`)} || t.path`)),
  ),
);
