export { FileDrop } from './components/file-drop.js';
export { useMayUpload } from './use-may-upload.js';
