import { hash } from 'node:crypto';
import { docsScript } from './docs-script.ts';
import { docsStyle } from './docs-style.ts';

/** The page, and the policy under which it may run. */
export interface DocsPage {
  readonly html: string;
  readonly policy: string;
}

/**
 * Makes the page that shows the tools. It holds nothing about them: it asks for the description as whoever looks at it, with the credential
 * they enter, which stays in the page. Its script and style are allowed by their hashes, nothing else is, and nothing is loaded from elsewhere.
 */
export function createDocsPage(credentialHeader: string | undefined): DocsPage {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tools</title>
<link rel="icon" href="data:,">
<style>${docsStyle}</style>
</head>
<body${credentialHeader === undefined ? '' : ` data-credential="${toAttribute(credentialHeader)}"`}>
<header>
<div>
<h1>Tools</h1>
<span id="count"></span>
<input id="search" type="search" placeholder="Find a tool" aria-label="Find a tool">
</div>
${credentialHeader === undefined ? '' : accessForm}</header>
<div class="frame">
<nav aria-label="Tools"></nav>
<main><noscript><p class="note">This page needs JavaScript. The same description lies at <a href="openapi.json">openapi.json</a>.</p></noscript></main>
</div>
<script>${docsScript}</script>
</body>
</html>
`;
  return { html, policy };
}

const accessForm = `<details id="access"><summary>Your key</summary><form id="enter"><input id="credential" type="password" autocomplete="off" aria-label="Your key" placeholder="Kept in this page only"><button type="submit">Use it</button></form></details>
`;

const policy = [
  "default-src 'none'",
  `script-src '${hashOf(docsScript)}'`,
  `style-src '${hashOf(docsStyle)}'`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function hashOf(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}

function toAttribute(text: string): string {
  return text.replace(/[^\w-]/g, (character) => `&#${character.codePointAt(0)};`);
}
