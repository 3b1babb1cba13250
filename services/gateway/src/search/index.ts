export { checkpointMarks } from './checkpoint-marks.js';
export { compileSearch, type CompiledSearch, type CompileOptions } from './compile.js';
export type { Logic, RuleRow, SearchRule } from './rule.js';
export { knownRules, logicOf, noRuleLeft, requestedRules, searchRules, type RequestedRule, type RuleParams } from './rule-params.js';
export { isSearchType, ruleNamed, searchTypes, typeDefinitions, type SearchType } from './search-types.js';
export { createSearches, searchLimits, type FoundSongs, type Search, type Searches, type SearchLimits } from './searches.js';
export { rulesToStore, runAs, storedRules, type SeenByAccount, type StoredSearch } from './stored-searches.js';
export { listRules, type Features, type ListedRule } from './rule-listing.js';
export type { Option } from './widget-options.js';
