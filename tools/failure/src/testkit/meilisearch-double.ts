/** The suite is a test, and no server can be had everywhere. */
export { MeilisearchDouble } from '@continuo/chassis/testkit';
