export { ingestionService } from './ingestion.service.js';
