/** Views of schema `library` about live streams. All times are epoch milliseconds. */

/** The radio stations that there are. */
export interface LiveStreamTable {
  id: number;
  catalog_id: number;
  name: string;
  /** Folded name without leading article, under collation "C". */
  name_sort: string;
  url: string;
  site_url: string | null;
  codec: string | null;
  added_at_ms: number;
  updated_at_ms: number;
}
