import type { JSX } from 'preact';
import { serverFacts } from '../state/server-facts.ts';
import { Section } from '../ui/section.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { TextBlock } from '../ui/text-block.tsx';
import { BackToTools } from './back-to-tools.tsx';

/** Shows what to paste into the configuration of an MCP client, with the real address of this server. */
export function ConnectPanel(): JSX.Element {
  const { url = '', configs = [] } = serverFacts.value?.mcp ?? {};
  return (
    <article class="tool" aria-label="Connect a client">
      <header class="tool-head">
        <BackToTools />
        <div class="pane-title">
          <h1 class="plain">Connect a client</h1>
          <p class="tool-text">Any MCP client can call these tools. Paste one of these into its settings, and restart it.</p>
        </div>
      </header>
      <div class="tool-body">
        {url && (
          <Section title="Address">
            <TextBlock text={url} what="the address" />
          </Section>
        )}
        <Section title="Configuration">
          <Tabs
            label="Clients"
            tabs={configs.map(({ client, file, text }) => ({
              name: client,
              text: client,
              show: () => (
                <>
                  <p class="section-note">{file}</p>
                  <TextBlock text={text} what={`configuration for ${client}`} />
                </>
              ),
            }))}
          />
        </Section>
      </div>
    </article>
  );
}
