import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { catalogId, userId } from '../ids.js';

/** Number of a group of catalogs. */
export const catalogGroupId = z.int().positive();
const group = { groupId: catalogGroupId };

/** There is a group of catalogs; who belongs to it sees these catalogs and no others. */
export const catalogGroupAdded = defineEvent('CatalogGroupAdded', z.object({ ...group, name: z.string() }));
/** The group has another name. */
export const catalogGroupRenamed = defineEvent('CatalogGroupRenamed', z.object({ ...group, name: z.string() }));
/** From now on the group holds these catalogs, and no others. */
export const catalogGroupFilled = defineEvent('CatalogGroupFilled', z.object({ ...group, catalogIds: z.array(catalogId) }));
/** The group is gone; nobody belonged to it any more. */
export const catalogGroupRemoved = defineEvent('CatalogGroupRemoved', z.object(group));
/** The account belongs to this group; null is the default group, which sees every catalog. */
export const catalogGroupJoined = defineEvent('CatalogGroupJoined', z.object({ userId, groupId: catalogGroupId.nullable() }));

export type CatalogGroupEvent = EventOf<
  typeof catalogGroupAdded | typeof catalogGroupRenamed | typeof catalogGroupFilled | typeof catalogGroupRemoved | typeof catalogGroupJoined
>;
