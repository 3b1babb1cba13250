export { SoundTable, type NearSound } from './neighbours/sound-table.js';
export { sortIntoCells } from './neighbours/cells.js';
export { packSound } from './sound/packed-vector.js';
export { sonicService } from './sonic.service.js';
