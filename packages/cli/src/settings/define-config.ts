import type { ToolpactConfig } from './settings.ts';

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
