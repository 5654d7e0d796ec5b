import { pageFiles } from './page-files.ts';

/** The page, and the policy under which it may run. */
export interface DocsPage {
  readonly html: string;
  readonly policy: string;
}

const { html: template, script, style, scriptHash, styleHash } = pageFiles;

const accessForm =
  '<details id="access"><summary>Your key</summary><form id="enter"><input id="credential" type="password" autocomplete="off" aria-label="Your key" placeholder="Kept in this page only"><button type="submit">Use it</button></form></details>\n';

const policy = [
  "default-src 'none'",
  `script-src '${scriptHash}'`,
  `style-src '${styleHash}'`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Makes the page that shows the tools. It holds nothing about them: it asks for the description with the credential that its reader
 * enters, which stays in the page. Its script and style are allowed by their hashes, nothing else is, and nothing is loaded from elsewhere.
 */
export function createDocsPage(credentialHeader: string | undefined, hasInspector: boolean): DocsPage {
  const parts: Readonly<Record<string, string>> = {
    style: `<style>${style}</style>`,
    script: `<script>${script}</script>`,
    inspector: hasInspector ? '<a href="inspector/">Inspector</a>' : '',
    access: credentialHeader === undefined ? '' : accessForm,
  };
  const html = template
    .replace(' data-credential=""', credentialHeader === undefined ? '' : ` data-credential="${toAttribute(credentialHeader)}"`)
    .replace(/<!--(style|script|inspector|access)-->/g, (_, name: string) => parts[name] ?? '');
  return { html, policy };
}

function toAttribute(text: string): string {
  return text.replace(/[^\w-]/g, (character) => `&#${character.codePointAt(0)};`);
}
