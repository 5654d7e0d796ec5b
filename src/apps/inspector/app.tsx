import type { JSX } from 'preact';
import { ApprovalsPage } from './approvals/approvals-page.tsx';
import { CallsPage } from './calls/calls-page.tsx';
import { HealthPage } from './health/health-page.tsx';
import { RunsPage } from './runs/runs-page.tsx';
import { route } from './state/route.ts';
import { ToolsPage } from './tools/tools-page.tsx';
import { Shell } from './ui/shell.tsx';

const pages: Readonly<Record<string, () => JSX.Element>> = {
  calls: CallsPage,
  approvals: ApprovalsPage,
  tools: ToolsPage,
  health: HealthPage,
  runs: RunsPage,
};

/** The whole page: the frame, and in it what the address names. */
export function App(): JSX.Element {
  const Page = pages[route.value.page] ?? CallsPage;
  return (
    <Shell>
      <Page />
    </Shell>
  );
}
