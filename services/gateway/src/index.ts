export { gatewayConfig, type GatewayConfig } from './server/config.js';
export { gatewayService } from './gateway.service.js';
