export { soundPath } from './similarity/sound-path.js';
export { SoundTable, type SongDistance } from './neighbours/sound-table.js';
export { sonicService } from './sonic.service.js';
export { packSound, type PackedSound } from './sound/packed-vector.js';
