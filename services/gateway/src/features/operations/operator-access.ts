import type { Access, Settings } from '@continuo/operations';
import type { GatewayConfig } from '../../server/config.js';

/** Access data and settings as the command line would have them, from those of this gateway. */
export const operatorAccess = (config: GatewayConfig): { readonly access: Access; readonly settings: Settings } => {
  const { NATS_CREDS_FILE, NATS_TLS_CA_FILE, NATS_TLS_CERT_FILE, NATS_TLS_KEY_FILE } = config;
  const natsFiles = { NATS_CREDS_FILE, NATS_TLS_CA_FILE, NATS_TLS_CERT_FILE, NATS_TLS_KEY_FILE };
  const login = { NATS_USER: config.NATS_USER, NATS_PASSWORD: config.NATS_PASSWORD };
  const secrets = { CONTINUO_SECRET: config.CONTINUO_SECRET, CONTINUO_SECRET_PREVIOUS: config.CONTINUO_SECRET_PREVIOUS };
  const { CONTINUO_DATA, DATABASE_URL, NATS_URL, PUBLIC_URL, ART_STORAGE, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION } = config;
  const art = { ART_STORAGE, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION };
  return {
    settings: { CONTINUO_DATA, DATABASE_URL, NATS_URL, PUBLIC_URL, ...art, ...login, ...secrets, ...natsFiles },
    access: {
      databaseUrl: DATABASE_URL,
      natsUrl: NATS_URL,
      natsUser: config.NATS_USER,
      natsPassword: config.NATS_PASSWORD,
      natsFiles,
      // The standalone alone has the disk of the log; elsewhere the folder is that of the pictures.
      ...(config.EVENT_LOG_FOLDER === undefined ? {} : { dataFolder: CONTINUO_DATA }),
      ...(config.PORT === 0 ? {} : { url: `http://127.0.0.1:${config.PORT}` }),
    },
  };
};
