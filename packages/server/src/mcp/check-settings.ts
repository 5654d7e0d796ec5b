import { ToolpactError } from 'toolpact';
import { type OptionNames, refuseOptions } from 'toolpact/internal';
import type { ServedToolbox } from '../server-options.ts';
import type { McpSettings } from './settings.ts';

const settingNames: OptionNames<McpSettings> = {
  name: true,
  version: true,
  server: true,
  configure: true,
  heartbeatMs: true,
  strict: true,
  approvals: true,
  requireTasks: true,
  sessions: true,
  stateKey: true,
  logs: 'a boolean',
  fastPath: true,
};

/** Checks how MCP is to be served, and gives it back. Throws for everything that could not be kept. */
export function checkMcpSettings(settings: McpSettings, toolbox: Pick<ServedToolbox, 'calls' | 'resolveName'>): McpSettings {
  refuseOptions('mcp', settings, settingNames);
  const { configure, heartbeatMs = 0, approvals, sessions, stateKey } = settings;
  if (configure !== undefined && typeof configure !== 'function')
    throw new ToolpactError('invalid_option', 'mcp.configure must be a function', { option: 'mcp.configure' });
  if (!(heartbeatMs >= 0)) throw new ToolpactError('invalid_option', 'mcp.heartbeatMs must be 0 or more', { option: 'mcp.heartbeatMs' });
  if (approvals !== undefined && !['deciders', 'callers', 'never'].includes(approvals)) {
    throw new ToolpactError('invalid_option', 'mcp.approvals must be "deciders", "callers" or "never"', { option: 'mcp.approvals' });
  }
  if ((approvals === 'deciders' || approvals === 'callers') && toolbox.calls === undefined) {
    throw new ToolpactError('invalid_option', 'mcp.approvals asks clients, but the toolbox has no store: createToolbox(tools, { store })', {
      option: 'mcp.approvals',
    });
  }
  checkRequiredTasks(settings, toolbox);
  if (sessions !== undefined && sessions !== false) {
    refuseOptions('mcp.sessions', sessions, { max: true, idleMs: true });
    for (const [name, value] of Object.entries(sessions)) {
      if (typeof value !== 'number' || !(value > 0))
        throw new ToolpactError('invalid_option', `mcp.sessions.${name} must be a number above 0`, { option: `mcp.sessions.${name}` });
    }
  }
  const keyBytes = typeof stateKey === 'string' ? new TextEncoder().encode(stateKey) : stateKey;
  if (keyBytes !== undefined && !(keyBytes.byteLength >= 32))
    throw new ToolpactError('invalid_option', 'mcp.stateKey must be at least 32 bytes long', { option: 'mcp.stateKey' });
  return settings;
}

function checkRequiredTasks({ requireTasks }: McpSettings, { calls, resolveName }: Pick<ServedToolbox, 'calls' | 'resolveName'>): void {
  if (requireTasks === undefined) return;
  const unknown = Array.isArray(requireTasks) ? requireTasks.find((name) => resolveName(String(name)) === undefined) : requireTasks;
  if (unknown !== undefined)
    throw new ToolpactError('invalid_option', `mcp.requireTasks: ${JSON.stringify(unknown)} is not the name of a tool`);
  if (calls === undefined)
    throw new ToolpactError('invalid_option', 'mcp.requireTasks needs a toolbox with a store: createToolbox(tools, { store })');
}
