/** Makes an element with properties or attributes and children; a child that is absent is left out. */
export function make<TTag extends keyof HTMLElementTagNameMap>(
  tag: TTag,
  properties: Readonly<Record<string, unknown>>,
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[TTag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) Object.assign(element, { [name]: value });
    else element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== undefined && child !== ''));
  return element;
}

/** Finds an element that the page has. */
export function find<TElement extends HTMLElement>(selector: string): TElement {
  return document.querySelector(selector) as TElement;
}

/** The header in which the server takes credentials; undefined where it asks for none. */
export const header = document.body.dataset.credential;

/** Gives the headers that say who asks. */
export function secret(): Record<string, string> {
  const value = header === undefined ? '' : find<HTMLInputElement>('#credential').value.trim();
  if (header === undefined || value === '') return {};
  return { [header]: header === 'authorization' ? `Bearer ${value}` : value };
}

/** Writes a value as JSON for people. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Writes a call as a command line. */
export function curlOf(path: string, text: string): string {
  const parts = [`curl -sS ${quote(new URL(path.slice(1), document.baseURI).href)}`, "-H 'content-type: application/json'"];
  if (header !== undefined) {
    parts.push(`-H "${header}: ${header === 'authorization' ? 'Bearer ' : ''}$TOOLPACT_API_KEY"`);
  }
  let body = text.trim();
  try {
    body = JSON.stringify(JSON.parse(body));
  } catch {
    // Text that is not JSON yet is shown as it stands.
  }
  return [...parts, `-d ${quote(body)}`].join(' \\\n  ');
}
