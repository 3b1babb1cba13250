import { z } from 'zod';
import { defineCommand } from '../define.js';
import { catalogGroupId } from '../events/catalog-group.events.js';
import { catalogId, userId } from '../ids.js';

const name = z.string().trim().min(1).max(255);
/** As many catalogs as a group may hold. */
const MAX_CATALOGS = 10_000;

/** Makes a group of catalogs, empty at first; names are unique in any case. `default` is taken: it is the group that sees everything. */
export const addCatalogGroup = defineCommand('social', 'add-catalog-group', z.object({ name }), z.object({ groupId: catalogGroupId }));

/** Gives a group another name. */
export const renameCatalogGroup = defineCommand(
  'social',
  'rename-catalog-group',
  z.object({ groupId: catalogGroupId, name }),
  z.object({}),
);

/** Puts catalogs into a group and takes others out; what is so already stays. The sender has checked that the catalogs exist. */
export const changeCatalogGroup = defineCommand(
  'social',
  'change-catalog-group',
  z.object({
    groupId: catalogGroupId,
    add: z.array(catalogId).max(MAX_CATALOGS).default([]),
    remove: z.array(catalogId).max(MAX_CATALOGS).default([]),
  }),
  z.object({}),
);

/** Removes a group. Accounts that belong to it are moved first: `moveTo` says where, and without it a group that somebody belongs to stays. */
export const removeCatalogGroup = defineCommand(
  'social',
  'remove-catalog-group',
  z.object({ groupId: catalogGroupId, moveTo: catalogGroupId.nullable().optional() }),
  z.object({ moved: z.int().min(0) }),
);

/** Lets an account belong to a group, null being the default one. The sender has checked that the account exists. */
export const joinCatalogGroup = defineCommand(
  'social',
  'join-catalog-group',
  z.object({ userId, groupId: catalogGroupId.nullable() }),
  z.object({}),
);
