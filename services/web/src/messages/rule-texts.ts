/** Texts of search rules. Their names in English are those of the API. */
export interface RuleTexts {
  readonly names: Readonly<Record<string, string>>;
  /** Headings of rules that belong together, by those of the API. */
  readonly groups: Readonly<Record<string, string>>;
  /** Comparisons of each family of operators, by their number; `…` stands for the value. */
  readonly operators: Readonly<Record<string, readonly string[]>>;
}
