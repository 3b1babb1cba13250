export { soundPath } from './alike/sound-path.js';
export { SoundTable, type NearSound } from './neighbours/sound-table.js';
export { sonicService } from './sonic.service.js';
export { packSound, type PackedSound } from './sound/packed-vector.js';
