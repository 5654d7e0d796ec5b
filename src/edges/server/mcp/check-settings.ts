import { ToolpactError } from '../../../core/outcome/index.ts';
import { refuseUnknown } from '../check-options.ts';
import type { ServedToolbox } from '../server-options.ts';
import type { McpSettings } from './settings.ts';

const known: readonly (keyof McpSettings)[] = [
  'name',
  'version',
  'server',
  'configure',
  'heartbeatMs',
  'strict',
  'approvals',
  'requireTasks',
  'sessions',
  'stateKey',
  'fastPath',
];

/** Checks how MCP is to be served, and gives it back. Throws for everything that could not be kept. */
export function checkMcpSettings(settings: McpSettings, toolbox: Pick<ServedToolbox, 'decide' | 'findPending' | 'list'>): McpSettings {
  refuseUnknown('mcp', settings, known);
  const { configure, heartbeatMs = 0, approvals, sessions, stateKey } = settings;
  if (configure !== undefined && typeof configure !== 'function') throw new TypeError('mcp.configure must be a function');
  if (!(heartbeatMs >= 0)) throw new TypeError('mcp.heartbeatMs must be 0 or more');
  if (approvals !== undefined && !['deciders', 'callers', 'never'].includes(approvals)) {
    throw new TypeError('mcp.approvals must be "deciders", "callers" or "never"');
  }
  if ((approvals === 'deciders' || approvals === 'callers') && toolbox.decide === undefined) {
    throw new TypeError('mcp.approvals asks clients, but the toolbox has no approvals guard');
  }
  checkRequiredTasks(settings, toolbox);
  if (sessions !== undefined && sessions !== false) {
    refuseUnknown('mcp.sessions', sessions, ['max', 'idleMs', 'resumeMs']);
    for (const [name, value] of Object.entries(sessions)) {
      const mayBeZero = name === 'resumeMs';
      if (typeof value !== 'number' || !(value > 0 || (mayBeZero && value === 0)))
        throw new TypeError(`mcp.sessions.${name} must be ${mayBeZero ? '0 or more' : 'more than 0'}`);
    }
  }
  const keyBytes = typeof stateKey === 'string' ? new TextEncoder().encode(stateKey) : stateKey;
  if (keyBytes !== undefined && !(keyBytes.byteLength >= 32)) throw new TypeError('mcp.stateKey must be at least 32 bytes long');
  return settings;
}

function checkRequiredTasks({ requireTasks }: McpSettings, { findPending, list }: Pick<ServedToolbox, 'findPending' | 'list'>): void {
  if (requireTasks === undefined) return;
  const names = list().map(({ providerName }) => providerName);
  const unknown = Array.isArray(requireTasks) ? requireTasks.find((name) => !names.includes(name)) : requireTasks;
  if (unknown !== undefined)
    throw new ToolpactError('invalid_option', `mcp.requireTasks: ${JSON.stringify(unknown)} is not the name of a tool`);
  if (findPending === undefined) throw new ToolpactError('invalid_option', 'mcp.requireTasks needs the guard defer({ store })');
}
