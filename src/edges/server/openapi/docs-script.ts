import { docsTryScript } from './docs-try-script.ts';

/**
 * What the page runs. It is text, not a function turned into text, because no compiler or bundler may change it: the page only runs a script of
 * exactly this content. Everything that comes from the server is shown as text.
 */
export const docsScript = String.raw`'use strict';
const main = document.querySelector('main');
const nav = document.querySelector('nav');
const search = document.querySelector('#search');
const header = document.body.dataset.credential;
const access = document.querySelector('#access');
const credential = document.querySelector('#credential');
let spec;
let shown = [];
let none;
let rest;

function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== ''));
  return element;
}

function secret() {
  const value = header === undefined ? '' : credential.value.trim();
  if (value === '') return {};
  return { [header]: header === 'authorization' ? 'Bearer ' + value : value };
}

function plain(markdown) {
  return (markdown ?? '').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

function withoutTicks(markdown) {
  return plain(markdown).replaceAll(String.fromCharCode(96), '');
}

function say(text, isProblem) {
  main.replaceChildren(make('p', { className: isProblem ? 'note problem' : 'note', textContent: text }));
  nav.replaceChildren();
}

async function load() {
  say('Loading…');
  try {
    const response = await fetch('openapi.json', { headers: secret(), cache: 'no-store' });
    if (response.status === 401 && header !== undefined) {
      access.open = true;
      return say('This server asks who you are. Enter your key above.');
    }
    if (!response.ok) return say('The server answered ' + response.status + ' instead of its description.', true);
    spec = await response.json();
  } catch {
    return say('The server cannot be reached.', true);
  }
  if (header !== undefined && credential.value !== '') access.open = false;
  show();
}

function follow(schema, seen) {
  let found = schema ?? {};
  const passed = seen ?? new Set();
  while (typeof found.$ref === 'string' && !passed.has(found.$ref)) {
    passed.add(found.$ref);
    const steps = found.$ref.slice(2).split('/').map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
    const { $ref, ...own } = found;
    found = { ...steps.reduce((at, step) => at?.[step], spec), ...own };
  }
  return found;
}

function nameOfType(given) {
  const schema = follow(given);
  if (schema.$ref !== undefined) return 'the same again';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return [...new Set(several.map(nameOfType))].join(' | ');
  const types = [schema.type ?? (schema.properties ? 'object' : 'any')].flat();
  return types.map((type) => (type === 'array' ? 'list of ' + nameOfType(schema.items) : type)).join(' | ');
}

const limits = { minimum: '≥', maximum: '≤', exclusiveMinimum: '>', exclusiveMaximum: '<', minLength: 'length ≥', maxLength: 'length ≤', minItems: 'items ≥', maxItems: 'items ≤', pattern: 'matches', format: 'format', default: 'default' };

function rules(schema) {
  return Object.keys(limits)
    .filter((name) => schema[name] !== undefined && Math.abs(schema[name]) !== Number.MAX_SAFE_INTEGER)
    .map((name) => limits[name] + ' ' + (typeof schema[name] === 'object' ? JSON.stringify(schema[name]) : schema[name]))
    .join(', ');
}

function fields(given, passed) {
  const seen = new Set(passed);
  const schema = follow(given, seen);
  const names = Object.keys(schema.properties ?? {});
  if (names.length === 0) return undefined;
  const list = make('ul', { className: 'fields' });
  for (const name of names) {
    const inner = new Set(seen);
    const field = follow(schema.properties[name], inner);
    const item = make('li', {}, make('code', { className: 'name', textContent: name }), make('code', { className: 'type', textContent: nameOfType(field) }));
    if ((schema.required ?? []).includes(name)) item.append(make('span', { className: 'required', textContent: 'required' }));
    const notes = [plain(field.description), rules(field)].filter(Boolean).join(' · ');
    if (notes !== '') item.append(make('span', { className: 'about', textContent: notes }));
    const below = fields(field.items ?? field, inner);
    if (below !== undefined && inner.size <= 12) item.append(below);
    list.append(item);
  }
  return list;
}

function sample(given, passed) {
  const seen = new Set(passed);
  const schema = follow(given, seen);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return sample(several[0], seen);
  const type = [schema.type].flat()[0];
  if (type === 'object' || schema.properties !== undefined) {
    return Object.fromEntries((schema.required ?? []).filter(() => seen.size < 12).map((name) => [name, sample(schema.properties?.[name], seen)]));
  }
  return { array: [], string: '', integer: schema.minimum ?? 0, number: schema.minimum ?? 0, boolean: false, null: null }[type] ?? null;
}

function pretty(value) {
  return JSON.stringify(value, null, 2);
}

function quote(text) {
  return "'" + text.replaceAll("'", "'\\''") + "'";
}

function curlOf(path, text) {
  const parts = ['curl -sS ' + quote(new URL(path.slice(1), document.baseURI).href), "-H 'content-type: application/json'"];
  if (header !== undefined) parts.push(header === 'authorization' ? '-H "authorization: Bearer $TOOLPACT_API_KEY"' : '-H "' + header + ': $TOOLPACT_API_KEY"');
  let body = text.trim();
  try {
    body = JSON.stringify(JSON.parse(body));
  } catch {
    // What is not JSON yet is shown as it stands.
  }
  return [...parts, '-d ' + quote(body)].join(' \\\n  ');
}

function schemaPart(title, schema) {
  const shown = follow(schema);
  return make('details', {}, make('summary', { textContent: title }), fields(schema) ?? make('p', { className: 'about', textContent: nameOfType(schema) }),
    make('details', { className: 'raw' }, make('summary', { textContent: 'JSON Schema' }), make('pre', { textContent: pretty(shown), tabIndex: 0 })));
}

${docsTryScript}

function toolPart(path, operation) {
  const body = operation.requestBody.content['application/json'];
  const example = Object.values(body.examples ?? {})[0]?.value ?? sample(body.schema);
  const output = follow(operation.responses[200].content['application/json'].schema).properties?.data;
  const about = plain(operation.description.slice(0, operation.description.lastIndexOf('\n\n')));
  const codes = Object.entries(operation.responses).filter(([, { $ref }]) => $ref === undefined).filter(([status]) => status >= 400);
  return make('article', { id: operation.operationId },
    make('h2', {}, make('a', { href: '#' + operation.operationId, textContent: operation['x-tool'] }), make('span', { className: 'effects ' + operation['x-effects'], textContent: { none: 'changes nothing', idempotent: 'repeatable', writes: 'writes' }[operation['x-effects']] })),
    make('p', { className: 'description', textContent: about }),
    ...tryPart(path, operation, pretty(example)),
    schemaPart('Arguments', body.schema),
    output !== undefined && Object.keys(output).length > 0 && (output.$ref !== undefined || output.type !== undefined) ? schemaPart('Result', output) : undefined,
    ...(codes.length === 0 ? [] : [make('details', {}, make('summary', { textContent: 'Failures of its own' }), make('ul', { className: 'fields' }, ...codes.map(([status, { description }]) => make('li', {}, make('code', { className: 'name', textContent: status }), make('span', { className: 'about', textContent: withoutTicks(description) })))))]));
}

function otherPart(tag) {
  const rows = Object.entries(spec.paths).flatMap(([path, methods]) => Object.entries(methods).filter(([, one]) => one.tags.includes(tag.name)).map(([method, one]) =>
    make('li', {}, make('code', { className: 'name', textContent: method.toUpperCase() + ' ' + path }), make('span', { className: 'about', textContent: one.summary }))));
  return make('section', {}, make('h3', { textContent: tag.name }), make('p', { className: 'about', textContent: withoutTicks(tag.description) }), make('ul', { className: 'fields' }, ...rows));
}

function show() {
  const tools = Object.entries(spec.paths).flatMap(([path, { post }]) => (post?.['x-tool'] === undefined ? [] : [[path, post]]));
  const others = spec.tags.filter(({ name }) => !tools.some(([, { tags }]) => tags.includes(name)));
  document.title = spec.info.title;
  document.querySelector('h1').textContent = spec.info.title;
  document.querySelector('#count').textContent = spec.info.summary;
  shown = tools.map(([path, operation]) => ({
    words: (operation['x-tool'] + ' ' + operation.description).toLowerCase(),
    parts: [make('a', { href: '#' + operation.operationId, textContent: operation['x-tool'] }), toolPart(path, operation)],
  }));
  nav.replaceChildren(...shown.map(({ parts: [link] }) => link));
  none = make('p', { className: 'note' });
  rest = make('div', {}, make('h2', { className: 'rest', textContent: 'Everything else' }), ...others.map(otherPart));
  main.replaceChildren(none, ...shown.map(({ parts: [, article] }) => article), rest);
  filter();
  if (location.hash.length > 1) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

// Hides what does not match instead of making it anew, so that what was typed and answered stays.
function filter() {
  const wanted = search.value.trim();
  for (const { words, parts } of shown) for (const part of parts) part.hidden = !words.includes(wanted.toLowerCase());
  none.hidden = shown.some(({ parts: [link] }) => !link.hidden);
  none.textContent = shown.length === 0 ? 'There is no tool that you may call.' : 'No tool matches “' + wanted + '”.';
  rest.hidden = wanted !== '';
}

search.addEventListener('input', () => spec && filter());
document.querySelector('#enter')?.addEventListener('submit', (event) => {
  event.preventDefault();
  load();
});
load();
`;
