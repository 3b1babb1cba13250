/** Calls that are rejected whatever their method. */
export const refusalCases: Readonly<Record<string, string>> = {
  'error-4703': 'action=localplay&command=add&type=broadcast&filter=1&oid=1',
  'error-4704': 'action=song&filter=999',
  'error-4705': 'action=no_such_thing',
  'error-4706': 'action=get_indexes',
  'error-4710 (missing)': 'action=song',
  'error-4710 (value)': 'action=songs&add=someday',
};
