import type { GatewayFile } from '../wrap/gateway-file.ts';
import type { ToolpactConfig } from './settings.ts';

export type { GatewayFile } from '../wrap/gateway-file.ts';
export type { ToolpactConfig } from './settings.ts';

/**
 * Types what `toolpact.config.ts` exports as default. It only gives back what it is given: what is wrong is said by the command that reads
 * the file.
 *
 * @example
 * export default defineConfig({ tools: 'src/tools.ts', port: 8080, retryAttempts: 5 });
 */
export function defineConfig(config: ToolpactConfig): ToolpactConfig {
  return config;
}

/**
 * Types what a gateway file exports as default: servers of others, and the rules for their tools.
 *
 * @example
 * export default defineGateway({ servers: { notes: { command: 'npx', args: ['-y', 'some-mcp-server'] } }, rules: [{ tool: 'delete_*', approval: true }] });
 */
export function defineGateway(gateway: GatewayFile): GatewayFile {
  return gateway;
}
