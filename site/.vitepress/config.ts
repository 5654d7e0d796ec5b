import { readdirSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';

const pages = new URL('../pages/', import.meta.url);
const repository = 'https://github.com/toolpact/toolpact/blob/main/';

const page = (text: string, link: string) => ({ text, link: `/${link}` });

const isOfLibrary = (name: string): boolean => /^toolpact(\/|$)/.test(name);

/** The pages that TypeDoc has written, one per entry of the packages: those of the library first. */
const reference = readdirSync(new URL('reference/', pages), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.replaceAll('\\', '/').slice(0, -'.md'.length))
  .sort((a, b) => Number(isOfLibrary(b)) - Number(isOfLibrary(a)) || a.localeCompare(b))
  .map((name) => page(isOfLibrary(name) ? name : `@toolpact/${name}`, `reference/${name}`));

/** The name of a heading in an address, as GitHub makes it. */
const toSlug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

export default defineConfig({
  title: 'Toolpact',
  description: 'One contract for every tool call an AI agent makes.',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: '../.cache/vitepress',
  cleanUrls: true,
  lastUpdated: false,
  // Pages also link to files of the repository, which are no pages. Everything else must exist, or the build fails.
  ignoreDeadLinks: [/^\.?\.?\/?(\.\.\/)*(CHANGELOG|ARCHITECTURE|AGENTS|README|examples|packages|proofs|bench|scripts)/],
  markdown: {
    // As GitHub does it, where the same pages are read: links to a heading work in both places.
    anchor: { slugify: toSlug },
    config(md) {
      const open = md.renderer.rules.link_open ?? ((tokens, index, options, _, self) => self.renderToken(tokens, index, options));
      md.renderer.rules.link_open = (tokens, index, options, env, self) => {
        const token = tokens[index];
        const target = token?.attrGet('href') ?? '';
        if (target.startsWith('../')) token?.attrSet('href', `${repository}${target.replace(/^(\.\.\/)+/, '')}`);
        return open(tokens, index, options, env, self);
      };
    },
  },
  vite: { plugins: [llmstxt({ ignoreFiles: ['reference/**'], generateLLMsFullTxt: false })] },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [page('Getting started', 'getting-started'), page('Guides', 'index'), page('Reference', 'entries')],
    socialLinks: [{ icon: 'github', link: 'https://github.com/toolpact/toolpact' }],
    sidebar: [
      {
        text: 'Start',
        items: [
          page('What it is', 'index'),
          page('Getting started', 'getting-started'),
          page('Concepts', 'concepts'),
          page('Add to an AI SDK app', 'ai-sdk'),
          page('Existing projects', 'existing-projects'),
          page('Coding agents', 'coding-agents'),
          page('Comparison', 'comparison'),
          page('Questions', 'faq'),
        ],
      },
      {
        text: 'Tools',
        items: [
          page('OpenAPI', 'openapi'),
          page('Many tools', 'tool-search'),
          page('Guards', 'guards'),
          page('Resources', 'resources'),
          page('Ready tools', 'ready-tools'),
        ],
      },
      page('Failures', 'failures'),
      {
        text: 'Frameworks',
        items: [page('Frameworks', 'frameworks'), page('Adapters', 'adapters'), page('47 faults', 'faults'), page('Histories', 'history')],
      },
      {
        text: 'Remembering calls',
        items: [
          page('Remembering calls', 'remembering-calls'),
          page('Steps', 'steps'),
          page('Calls that take time', 'long-calls'),
          page('List, stop and resume', 'calls'),
          page('Stores', 'stores'),
          page('Tables', 'tables'),
          page('Workflow engines', 'workflow-engines'),
          page('Restate', 'restate'),
          page('Reliability', 'reliability'),
          page('Who pays twice', 'who-pays-twice'),
        ],
      },
      { text: 'Approvals', items: [page('Approvals', 'approvals'), page('In your own app', 'approval-app'), page('In Slack', 'slack')] },
      page('Gateway', 'gateway'),
      { text: 'Serving', items: [page('Serving', 'serving'), page('HTTP API', 'http-api')] },
      page('Testing', 'testing'),
      {
        text: 'Operating',
        items: [
          page('Inspector', 'inspector'),
          page('Deployment', 'deployment'),
          page('Security', 'security'),
          page('Telemetry', 'telemetry'),
          page('Proofs', 'proofs'),
          page('Speed', 'speed'),
        ],
      },
      {
        text: 'Reference',
        items: [page('Packages and entry points', 'entries'), page('Command line', 'cli')],
      },
      { text: 'Functions and types', collapsed: true, items: reference },
      { text: 'Origins', collapsed: true, items: [page('Dialects', 'dialects'), page('Migrating', 'migrating')] },
    ],
  },
});
