// The script of the page: bundled and put into it by scripts/build-page.ts. Everything that comes from the server is shown as text.
import { sampleText } from '../../../../core/contract/index.ts';
import type { Description, Operation, Schema } from './description.ts';
import { find, header, make, pretty, secret } from './make.ts';
import { tryPart } from './try-part.ts';

const main = find('main');
const nav = find('nav');
const search = find<HTMLInputElement>('#search');
const none = make('p', { className: 'note' });
const rest = make('div', {});
let spec: Description;
let shown: readonly { readonly words: string; readonly parts: readonly HTMLElement[] }[] = [];

function plain(markdown: string | undefined): string {
  return (markdown ?? '').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

function withoutTicks(markdown: string): string {
  return plain(markdown).replaceAll(String.fromCharCode(96), '');
}

function say(text: string, isProblem = false): void {
  main.replaceChildren(make('p', { className: isProblem ? 'note problem' : 'note', textContent: text }));
  nav.replaceChildren();
}

async function load(): Promise<void> {
  say('Loading…');
  try {
    const response = await fetch('openapi.json', { headers: secret(), cache: 'no-store' });
    if (response.status === 401 && header !== undefined) {
      find<HTMLDetailsElement>('#access').open = true;
      return say('This server asks who you are. Enter your key above.');
    }
    if (!response.ok) return say(`The server answered ${response.status} instead of its description.`, true);
    spec = (await response.json()) as Description;
  } catch {
    return say('The server cannot be reached.', true);
  }
  if (Object.keys(secret()).length > 0) find<HTMLDetailsElement>('#access').open = false;
  show();
}

function follow(schema: Schema | undefined, passed: Set<string> = new Set()): Schema {
  let found: Schema = schema ?? {};
  while (typeof found.$ref === 'string' && !passed.has(found.$ref)) {
    passed.add(found.$ref);
    const steps = found.$ref
      .slice(2)
      .split('/')
      .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
    const { $ref: _, ...own } = found;
    const target = steps.reduce<unknown>((at, step) => (at as Readonly<Record<string, unknown>> | undefined)?.[step], spec);
    found = { ...(target as Schema | undefined), ...own };
  }
  return found;
}

function nameOfType(given: Schema | undefined): string {
  const schema = follow(given);
  if (schema.$ref !== undefined) return 'the same again';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return [...new Set(several.map(nameOfType))].join(' | ');
  const types = [schema.type ?? (schema.properties ? 'object' : 'any')].flat();
  return types.map((type) => (type === 'array' ? `list of ${nameOfType(schema.items)}` : type)).join(' | ');
}

const limits: Readonly<Record<string, string>> = {
  minimum: '≥',
  maximum: '≤',
  exclusiveMinimum: '>',
  exclusiveMaximum: '<',
  minLength: 'length ≥',
  maxLength: 'length ≤',
  minItems: 'items ≥',
  maxItems: 'items ≤',
  pattern: 'matches',
  format: 'format',
  default: 'default',
};

function rules(schema: Schema): string {
  return Object.keys(limits)
    .filter((name) => schema[name] !== undefined && Math.abs(Number(schema[name])) !== Number.MAX_SAFE_INTEGER)
    .map((name) => `${limits[name]} ${typeof schema[name] === 'object' ? JSON.stringify(schema[name]) : schema[name]}`)
    .join(', ');
}

function fields(given: Schema | undefined, passed: Iterable<string> = []): HTMLElement | undefined {
  const seen = new Set(passed);
  const schema = follow(given, seen);
  const names = Object.keys(schema.properties ?? {});
  if (names.length === 0) return undefined;
  const list = make('ul', { className: 'fields' });
  for (const name of names) {
    const inner = new Set(seen);
    const field = follow(schema.properties?.[name], inner);
    const item = make(
      'li',
      {},
      make('code', { className: 'name', textContent: name }),
      make('code', { className: 'type', textContent: nameOfType(field) }),
    );
    if ((schema.required ?? []).includes(name)) item.append(make('span', { className: 'required', textContent: 'required' }));
    const notes = [plain(field.description), rules(field)].filter(Boolean).join(' · ');
    if (notes !== '') item.append(make('span', { className: 'about', textContent: notes }));
    const below = fields(field.items ?? field, inner);
    if (below !== undefined && inner.size <= 12) item.append(below);
    list.append(item);
  }
  return list;
}

function sample(given: Schema | undefined, passed: Iterable<string> = []): unknown {
  const seen = new Set(passed);
  const schema = follow(given, seen);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return sample(several[0], seen);
  const type = [schema.type].flat()[0] ?? '';
  if (type === 'object' || schema.properties !== undefined) {
    return Object.fromEntries(
      (schema.required ?? []).filter(() => seen.size < 12).map((name) => [name, sample(schema.properties?.[name], seen)]),
    );
  }
  const samples: Readonly<Record<string, unknown>> = {
    array:
      type === 'array' ? Array.from({ length: seen.size < 12 ? Number(schema.minItems ?? 0) : 0 }, () => sample(schema.items, seen)) : [],
    string: sampleText(schema as never),
    integer: schema.minimum ?? 1,
    number: schema.minimum ?? 1,
    boolean: false,
  };
  return samples[type] ?? null;
}

function schemaPart(title: string, schema: Schema): HTMLElement {
  const whole = follow(schema);
  return make(
    'details',
    {},
    make('summary', { textContent: title }),
    fields(schema) ?? make('p', { className: 'about', textContent: nameOfType(schema) }),
    make(
      'details',
      { className: 'raw' },
      make('summary', { textContent: 'JSON Schema' }),
      make('pre', { textContent: pretty(whole), tabIndex: 0 }),
    ),
  );
}

const effectNames = { none: 'changes nothing', idempotent: 'repeatable', writes: 'writes' } as const;

function toolPart(path: string, operation: Operation): HTMLElement {
  const body = operation.requestBody.content['application/json'];
  const example = Object.values(body.examples ?? {})[0]?.value ?? sample(body.schema);
  const output = follow(operation.responses[200]?.content?.['application/json'].schema).properties?.data;
  const about = plain(operation.description.slice(0, operation.description.lastIndexOf('\n\n')));
  const codes = Object.entries(operation.responses)
    .filter(([, { $ref }]) => $ref === undefined)
    .filter(([status]) => Number(status) >= 400);
  return make(
    'article',
    { id: operation.operationId },
    make(
      'h2',
      {},
      make('a', { href: `#${operation.operationId}`, textContent: operation['x-tool'] }),
      make('span', { className: `effects ${operation['x-effects']}`, textContent: effectNames[operation['x-effects'] ?? 'writes'] }),
    ),
    make('p', { className: 'description', textContent: about }),
    ...tryPart(spec, path, operation, pretty(example)),
    schemaPart('Arguments', body.schema),
    output !== undefined && Object.keys(output).length > 0 && (output.$ref !== undefined || output.type !== undefined)
      ? schemaPart('Result', output)
      : undefined,
    ...(codes.length === 0
      ? []
      : [
          make(
            'details',
            {},
            make('summary', { textContent: 'Failures of its own' }),
            make(
              'ul',
              { className: 'fields' },
              ...codes.map(([status, { description, 'x-failures': own }]) =>
                make(
                  'li',
                  {},
                  make('code', { className: 'name', textContent: status }),
                  make('span', { className: 'about', textContent: own?.join(', ') ?? withoutTicks(description) }),
                ),
              ),
            ),
          ),
        ]),
  );
}

function otherPart(tag: Description['tags'][number]): HTMLElement {
  const rows = Object.entries(spec.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, one]) => one.tags.includes(tag.name))
      .map(([method, one]) =>
        make(
          'li',
          {},
          make('code', { className: 'name', textContent: `${method.toUpperCase()} ${path}` }),
          make('span', { className: 'about', textContent: one.summary }),
        ),
      ),
  );
  return make(
    'section',
    {},
    make('h3', { textContent: tag.name }),
    make('p', { className: 'about', textContent: withoutTicks(tag.description) }),
    make('ul', { className: 'fields' }, ...rows),
  );
}

function show(): void {
  const tools = Object.entries(spec.paths).flatMap(([path, { post }]) => (post?.['x-tool'] === undefined ? [] : [[path, post] as const]));
  const others = spec.tags.filter(({ name }) => !tools.some(([, { tags }]) => tags.includes(name)));
  document.title = spec.info.title;
  find('h1').textContent = spec.info.title;
  find('#count').textContent = spec.info.summary;
  shown = tools.map(([path, operation]) => ({
    words: `${operation['x-tool']} ${operation.description}`.toLowerCase(),
    parts: [make('a', { href: `#${operation.operationId}`, textContent: operation['x-tool'] }), toolPart(path, operation)],
  }));
  nav.replaceChildren(...shown.flatMap(({ parts: [link] }) => link ?? []));
  rest.replaceChildren(make('h2', { className: 'rest', textContent: 'Everything else' }), ...others.map(otherPart));
  main.replaceChildren(none, ...shown.flatMap(({ parts: [, article] }) => article ?? []), rest);
  filter();
  if (location.hash.length > 1) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

// Hides what does not match instead of making it anew, so that what was typed and answered stays.
function filter(): void {
  const wanted = search.value.trim();
  for (const { words, parts } of shown) for (const part of parts) part.hidden = !words.includes(wanted.toLowerCase());
  none.hidden = shown.some(({ parts: [link] }) => link?.hidden === false);
  none.textContent = shown.length === 0 ? 'There is no tool that you may call.' : `No tool matches “${wanted}”.`;
  rest.hidden = wanted !== '';
}

search.addEventListener('input', () => {
  if (spec !== undefined) filter();
});
document.querySelector('#enter')?.addEventListener('submit', (event) => {
  event.preventDefault();
  void load();
});
void load();
