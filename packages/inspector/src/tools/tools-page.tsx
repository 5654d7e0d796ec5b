import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { apiBase } from '../api/api-base.ts';
import type { ListedTool } from '../api/api-shapes.ts';
import { useKeys } from '../state/keys.ts';
import { goTo, route, toHash } from '../state/route.ts';
import { serverFacts } from '../state/server-facts.ts';
import { tools, toolsFailure } from '../state/tools-store.ts';
import { Chip } from '../ui/chip.tsx';
import { Empty } from '../ui/empty.tsx';
import { Icon } from '../ui/icon.tsx';
import { isAddedTool } from '../words/added-tools.ts';
import { effectsWords } from '../words/outcome-words.ts';
import { showHidden } from '../words/show-hidden.ts';
import { ConnectPanel } from './connect-panel.tsx';
import { findTools } from './find-tools.ts';
import { ToolPanel } from './tool-panel.tsx';

/** The address part of the panel that shows how clients connect; no tool can have this name. */
const connectName = '~connect';

/** The tools of the server: a list with a search, and the one that is open. */
export function ToolsPage(): JSX.Element {
  const search = useRef<HTMLInputElement>(null);
  const text = useSignal('');
  const list = (tools.value ?? []).toSorted((a, b) => Number(isAddedTool(a)) - Number(isAddedTool(b)));
  const ownCount = list.filter((one) => !isAddedTool(one)).length;
  const found = findTools(list, text.value);
  const isWide = matchMedia('(min-width: 761px)').matches;
  const openName = route.value.rest || (isWide ? (found[0]?.name ?? '') : '');
  const tool = list.find(({ name }) => name === openName);
  const move = (by: number): void => {
    const next = found[Math.max(0, Math.min(found.length - 1, found.findIndex(({ name }) => name === openName) + by))];
    if (next) goTo(toHash('tools', next.name), { replace: true });
  };
  useKeys({ '/': () => search.current?.focus(), j: () => move(1), k: () => move(-1), Escape: () => goTo(toHash('tools')) });
  if (tools.value === undefined && toolsFailure.value) {
    return (
      <Empty icon="plug" isPage title="Could not load the tools">
        <p>{toolsFailure.value.message}</p>
      </Empty>
    );
  }
  return (
    <div class={`split${route.value.rest === '' ? '' : ' split-open'}`}>
      <nav class="split-side" aria-label="Tools">
        <h1 class="unseen">Tools</h1>
        <div class="split-search">
          <label class="search">
            <Icon name="search" />
            <span class="unseen">Search tools</span>
            <input
              ref={search}
              type="search"
              placeholder={`Search ${ownCount} ${ownCount === 1 ? 'tool' : 'tools'}`}
              value={text.value}
              onInput={({ currentTarget }) => {
                text.value = currentTarget.value;
              }}
            />
            <kbd>/</kbd>
          </label>
        </div>
        <ul>
          {found.map((one) => (
            <ToolLine key={one.name} tool={one} isOpen={one.name === openName} />
          ))}
          {found.length === 0 && <li class="split-none">No matching tools.</li>}
        </ul>
        <div class="split-foot">
          {serverFacts.value?.mcp && (
            <a class="tool-line" href={toHash('tools', connectName)} aria-current={openName === connectName ? 'true' : undefined}>
              <Icon name="plug" />
              <span>Connect a client</span>
            </a>
          )}
          {serverFacts.value?.docs && !serverFacts.value.auth && (
            <a class="tool-line" href={new URL('openapi.json', apiBase(document.baseURI)).href}>
              <Icon name="link" />
              <span>OpenAPI description</span>
            </a>
          )}
        </div>
      </nav>
      <div class="split-main">
        {openName === connectName && <ConnectPanel />}
        {tool && <ToolPanel key={tool.name} tool={tool} />}
        {tool === undefined && openName !== '' && openName !== connectName && tools.value !== undefined && (
          <Empty icon="search" isPage title="No such tool">
            <a class="button" href={toHash('tools')}>
              Show all tools
            </a>
          </Empty>
        )}
      </div>
    </div>
  );
}

function ToolLine({ tool, isOpen }: { readonly tool: ListedTool; readonly isOpen: boolean }): JSX.Element {
  const effects = effectsWords(tool.effects);
  return (
    <li>
      <a class="tool-line" href={toHash('tools', tool.name)} aria-current={isOpen ? 'true' : undefined}>
        <span class="tool-name">{showHidden(tool.name)}</span>
        {effects.tone === 'warn' && (
          <Chip tone="warn" title={`effects: ${tool.effects}`}>
            {effects.text}
          </Chip>
        )}
        {isAddedTool(tool) && <Chip title="not a tool of this server's author">Added by Toolpact</Chip>}
        <span class="tool-about">{showHidden(tool.description)}</span>
      </a>
    </li>
  );
}
