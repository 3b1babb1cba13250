/** The module of a plug-in of this package, from compiled code or from sources, whichever this module itself runs from. */
const moduleOf = (name: string): string => {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${name}/plugin.${ending}`, import.meta.url).href;
};

/** Plug-ins that come with the server, by the name that stands in `PLUGINS`. */
export const builtInPlugins: Readonly<Record<string, string>> = {
  lastfm: moduleOf('lastfm'),
  listenbrainz: moduleOf('listenbrainz'),
  lrclib: moduleOf('lrclib'),
  musicbrainz: moduleOf('musicbrainz'),
  wikipedia: moduleOf('wikipedia'),
  sonic: moduleOf('sonic'),
  audiomuse: moduleOf('audiomuse'),
};
