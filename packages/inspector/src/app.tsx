import type { JSX } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { ApprovalsPage } from './approvals/approvals-page.tsx';
import { CallsPage } from './calls/calls-page.tsx';
import { HealthPage } from './health/health-page.tsx';
import { RunsPage } from './runs/runs-page.tsx';
import { ServersPage } from './servers/servers-page.tsx';
import { route } from './state/route.ts';
import { ToolsPage } from './tools/tools-page.tsx';
import { Empty } from './ui/empty.tsx';
import { Shell } from './ui/shell.tsx';
import { errorText } from './words/error-text.ts';

const pages: Readonly<Record<string, () => JSX.Element>> = {
  calls: CallsPage,
  approvals: ApprovalsPage,
  tools: ToolsPage,
  health: HealthPage,
  runs: RunsPage,
  servers: ServersPage,
};

/** The whole page: the frame, and in it what the address names. */
export function App(): JSX.Element {
  const Page = pages[route.value.page] ?? CallsPage;
  return (
    <Shell>
      <Guarded key={route.value.page} page={Page} />
    </Shell>
  );
}

/** Shows a page, or what went wrong in it: the other pages stay in reach. */
function Guarded({ page: Page }: { readonly page: () => JSX.Element }): JSX.Element {
  const [error] = useErrorBoundary();
  if (error === undefined) return <Page />;
  return (
    <Empty icon="error" isPage title="This page failed">
      <p>{errorText(error)}</p>
      <p>The server and the other pages still work. Reload to start over.</p>
    </Empty>
  );
}
