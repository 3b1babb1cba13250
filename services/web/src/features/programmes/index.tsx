import { otherBar } from '../../ui/other-bar.js';
import { ProgrammeBar } from './components/programme-bar.js';
import { programmes } from './instance.js';

export { programmes, useProgrammes } from './instance.js';
export { playEpisode, playStation } from './instance.js';

// The views that play programmes load this; the bar stands there from then on while one is heard.
programmes.subscribe(() => {
  const isHeard = programmes.state().programme !== undefined;
  if (isHeard !== (otherBar.current() !== undefined)) otherBar.set(isHeard ? <ProgrammeBar /> : undefined);
});
