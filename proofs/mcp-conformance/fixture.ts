import { createGateway, createServer } from '@toolpact/server';
import { type Listening, listen } from '@toolpact/server/node';
import { fixtureSettings } from './configure-fixture.ts';
import { createFixtureToolbox } from './fixture-toolbox.ts';

/** Serves what the conformance suite asks for, on a free port of this machine. */
export function startFixture({ fastPath }: { readonly fastPath: boolean }): Promise<Listening> {
  const toolbox = createFixtureToolbox();
  const server = createServer(toolbox, { mcp: { ...fixtureSettings(toolbox), fastPath }, auditLog: false });
  return listen(server, { port: 0 });
}

/** Serves the same through a gateway, which reaches the fixture over HTTP. */
export async function startThroughGateway(era: 'legacy' | 'modern'): Promise<Listening> {
  const fixture = await startFixture({ fastPath: true });
  const gateway = await createGateway({ servers: { fixture: { url: `${fixture.url}/mcp`, era } }, report: () => undefined });
  const server = createServer(gateway.toolbox, { mcp: gateway.mcp, auditLog: false });
  const listening = await listen(server, { port: 0 });
  return {
    ...listening,
    async close(options) {
      await listening.close(options);
      await gateway.close();
      await fixture.close(options);
    },
  };
}
