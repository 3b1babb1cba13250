export { gatewayConfig, type GatewayConfig } from './config.js';
export { gatewayService } from './gateway.service.js';
