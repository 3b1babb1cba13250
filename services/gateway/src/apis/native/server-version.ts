/** Version of this server, as `ping` reports it. */
export const SERVER_VERSION = '0.1.0';
