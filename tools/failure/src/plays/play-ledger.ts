import { equal, noneOf, type Finding } from '../checks/finding.js';

/** Counts of a user's plays and skips of a song. */
export interface PlayCount {
  readonly userId: number;
  readonly songId: number;
  readonly plays: number;
  readonly skips: number;
}

interface ExpectedFile {
  plays: number;
  skips: number;
  /** Plays that were sent and never acknowledged: each may be there, once. */
  maybe: number;
}

const keyOf = ({ userId, songId }: Pick<PlayCount, 'userId' | 'songId'>): string => `user ${userId} song ${songId}`;

/** Acknowledged plays of listeners, kept apart from the product's own counts. */
export class PlayLedger {
  readonly #owed = new Map<string, ExpectedFile>();

  /** Plays that were acknowledged. */
  get plays(): number {
    return [...this.#owed.values()].reduce((sum, { plays }) => sum + plays, 0);
  }

  /** Plays that turned out to be skips, acknowledged. */
  get skips(): number {
    return [...this.#owed.values()].reduce((sum, { skips }) => sum + skips, 0);
  }

  /** Plays of which nobody knows. */
  get unanswered(): number {
    return [...this.#owed.values()].reduce((sum, { maybe }) => sum + maybe, 0);
  }

  played(userId: number, songId: number): void {
    this.#of(userId, songId).plays += 1;
  }

  /** A play that was counted before was a skip. */
  skipped(userId: number, songId: number): void {
    const owed = this.#of(userId, songId);
    owed.plays -= 1;
    owed.skips += 1;
  }

  unansweredPlay(userId: number, songId: number): void {
    this.#of(userId, songId).maybe += 1;
  }

  /** Counts acknowledged plays that are missing, and plays counted more often than they were sent. */
  tally(found: readonly PlayCount[]): { readonly lost: number; readonly doubled: number } {
    const counts = new Map(found.map((one) => [keyOf(one), one.plays]));
    let [lost, doubled] = [0, 0];
    for (const [key, { plays, maybe }] of this.#owed) {
      const there = counts.get(key) ?? 0;
      lost += Math.max(plays - there, 0);
      doubled += Math.max(there - plays - maybe, 0);
    }
    return { lost, doubled };
  }

  /** Every acknowledged play is counted once, every other one once or not at all, and nothing else is there. */
  check(found: readonly PlayCount[]): Finding[] {
    const counts = new Map(found.map((one) => [keyOf(one), one]));
    const wrong: string[] = [];
    for (const [key, { plays, skips, maybe }] of this.#owed) {
      const there = counts.get(key) ?? { plays: 0, skips: 0 };
      if (there.plays < plays || there.plays > plays + maybe || there.skips !== skips)
        wrong.push(`${key}: owed ${plays} plays (+${maybe}) and ${skips} skips, there ${there.plays} and ${there.skips}`);
    }
    const unasked = found.filter((one) => !this.#owed.has(keyOf(one))).map(keyOf);
    const sum = found.reduce((total, one) => total + one.plays, 0);
    const surplus = Math.min(Math.max(sum - this.plays, 0), this.unanswered);
    return [
      equal('ledger: plays counted = acknowledged and arrived', sum, this.plays + surplus),
      equal(
        'ledger: skips counted = acknowledged',
        found.reduce((total, one) => total + one.skips, 0),
        this.skips,
      ),
      noneOf('ledger: lost, doubled or otherwise wrong', wrong),
      noneOf('ledger: counted and never played', unasked),
    ];
  }

  #of(userId: number, songId: number): ExpectedFile {
    const key = keyOf({ userId, songId });
    const owed = this.#owed.get(key) ?? { plays: 0, skips: 0, maybe: 0 };
    this.#owed.set(key, owed);
    return owed;
  }
}
