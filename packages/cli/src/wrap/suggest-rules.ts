import type { Gateway, GatewayTarget } from '@toolpact/server';
import { stringify } from 'yaml';

/** Words at the beginning of a tool's name, or anywhere in it, that say what it does. */
const reads =
  /^(get|list|read|search|find|fetch|query|show|describe|count|check|view|browse|lookup|status|diff|log|tree|info|stat|echo|validate|explain)(_|-|$|[A-Z])/i;
const destroys =
  /(^|[_-])(delete|remove|drop|destroy|purge|wipe|erase|truncate|reset|clean|revoke|cancel|kill|uninstall|force)([_-]|$|[A-Z])/i;
const reachesOut =
  /(^|[_-])(send|post|publish|pay|charge|transfer|refund|buy|order|book|invite|email|mail|tweet|message|deploy|merge|push|release|execute|exec|run|eval)([_-]|$|[A-Z])/i;

/**
 * Writes a first file of rules from what the servers list. It is a draft for a person: names and hints say what a tool is meant to do, and only
 * somebody who knows the server can say what it does.
 */
export function suggestRules(gateway: Gateway, targets: Readonly<Record<string, GatewayTarget>>): string {
  const listed = new Map(gateway.toolbox.list().map((tool) => [tool.name, tool]));
  const parts = gateway.servers().map(({ name, tools }) => {
    const sorted = { read: [] as string[], destroy: [] as string[], reach: [] as string[], write: [] as string[] };
    for (const tool of tools) {
      if (!listed.has(tool.name)) continue;
      const { listedAs, hints = {} } = tool;
      const isRead = hints.readOnlyHint === true || (hints.readOnlyHint === undefined && reads.test(listedAs));
      if (destroys.test(listedAs)) sorted.destroy.push(listedAs);
      else if (isRead) sorted.read.push(listedAs);
      else if (reachesOut.test(listedAs) || hints.openWorldHint === true) sorted.reach.push(listedAs);
      else sorted.write.push(listedAs);
    }
    return [
      rule(
        name,
        'Read-only, by their names and hints. Failed calls may be repeated.',
        sorted.read,
        'effects: none\n    retry: { attempts: 3 }',
      ),
      rule(name, 'These delete something: a person is asked first.', sorted.destroy, 'effects: writes\n    approval: true'),
      rule(
        name,
        'These send something: equal calls run once, and a person is asked first.',
        sorted.reach,
        'effects: writes\n    approval: true\n    idempotency: {}',
      ),
      rule(name, 'These write. Add `effects: idempotent` if repeating a call does no harm.', sorted.write, 'effects: writes'),
    ].join('');
  });
  const servers = stringify({ servers: Object.fromEntries(Object.entries(targets).map(([name, target]) => [name, shown(target)])) });
  return `# yaml-language-server: $schema=https://unpkg.com/@toolpact/cli/gateway.schema.json
# A draft: read it before you use it. Start it with: toolpact wrap --config gateway.yaml
${servers}
# Later rules outweigh earlier ones. Patterns may have a *: delete_*.
rules:
${parts.join('')}`;
}

function rule(server: string, about: string, tools: readonly string[], options: string): string {
  if (tools.length === 0) return '';
  return `  # ${about}
  - server: ${JSON.stringify(server)}
    tool: ${stringify(tools, { collectionStyle: 'flow', lineWidth: 0 }).trim()}
    ${options}
`;
}

/** Values of variables and headers may be secret, so their names stand in their place. */
function shown(target: GatewayTarget): object {
  if ('connect' in target) return {};
  if ('url' in target) {
    const { url, headers = {} } = target;
    const named = Object.keys(headers).map((name) => [name, `\${${name.toUpperCase().replaceAll(/\W/g, '_')}}`]);
    return { url: String(url), ...(named.length > 0 && { headers: Object.fromEntries(named) as object }) };
  }
  const { command, args } = target;
  return { command, args };
}
