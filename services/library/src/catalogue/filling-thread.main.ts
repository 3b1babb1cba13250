import { answerFilling } from '@continuo/chassis';
import { catalogueFilling } from './catalogue.projection.js';

/* Runs in a thread of its own, see filling-thread.ts. */
answerFilling(catalogueFilling);
