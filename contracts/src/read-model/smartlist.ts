/** Views of schema `library` about smartlists: searches for songs that somebody keeps. All times are epoch milliseconds. */

/** Operator that joins the rules of a smartlist. */
export type SmartlistLogic = 'and' | 'or';

/**
 * The smartlists that there are. Who may open one: everybody when it is public, its owner, its collaborators, administrators. What is in it is what its rules
 * find at the moment, for its owner, among what the viewer may see.
 */
export interface SmartlistTable {
  id: number;
  /** Null: the system's own list. */
  owner_id: number | null;
  name: string;
  /** Lower-case name without accents, under collation "C". */
  name_sort: string;
  is_public: boolean;
  collaborator_ids: number[];
  created_at_ms: number;
  /** When its terms or its rules last changed. */
  updated_at_ms: number;
  /** A JSON array of `[rule, operator code, operand, subtype or null]`. */
  rules: string;
  logic: SmartlistLogic;
  /** In another order each time; with a limit another choice, too. */
  is_random: boolean;
  /** The most songs; 0 = all that are found. */
  song_limit: number;
  /** Counts the changes of what it looks for. */
  revision: number;
  /** Number of songs when it was last run for somebody who sees all that its owner sees. */
  last_count: number;
  /** Duration of these songs. */
  last_duration_ms: number;
  /** Null when it was never run. */
  last_run_at_ms: number | null;
}
