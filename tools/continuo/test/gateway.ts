import { startService, type Environment, type ServiceDefinition } from '@continuo/chassis';
import { gatewayService } from '@continuo/gateway';
import { freePort } from '@continuo/local-servers';

/** A gateway for specs, and how commands find it. */
export interface SpecGateway {
  /** `CONTINUO_SERVER` and `CONTINUO_SECRET`. */
  readonly env: Environment;
  stop(): Promise<void>;
}

/** Starts a gateway on a port of its own. */
export const startGateway = async (settings: Environment & { readonly CONTINUO_SECRET: string }): Promise<SpecGateway> => {
  const port = await freePort();
  const definition = gatewayService as unknown as ServiceDefinition;
  const gateway = await startService(definition, { LOG_LEVEL: 'silent', ...settings, PORT: String(port), HOST: '127.0.0.1' });
  return {
    env: { CONTINUO_SERVER: `http://127.0.0.1:${port}`, CONTINUO_SECRET: settings.CONTINUO_SECRET },
    stop: () => gateway.stop(),
  };
};
