import type { ApprovalRules, Effects, JsonObject, JsonValue, RetryRule, RunContext, ToolDeclaration } from 'toolpact';
import { ToolpactError } from 'toolpact';
import type { Guard, Store } from 'toolpact/extend';
import { concurrency, rateLimit } from 'toolpact/guards';
import { checkApproval, inPlace, isRecord, rankNames, refuseOption, refuseOptions, retryOptions } from 'toolpact/internal';

/**
 * The options for the tools of a pattern, in the words of `defineTool`. Of several rules for one tool each later one outweighs those before it,
 * option by option.
 */
export interface GatewayRule {
  /** The servers that it is about, as named in `servers`; `*` stands for any text. @default '*' */
  readonly server?: string;
  /** The tools that it is about, as their server names them; `*` stands for any text. @default '*' */
  readonly tool?: string | readonly string[];
  /** Side effects of a call. @default what trusted hints say, else `writes` */
  readonly effects?: Effects;
  /** Whether a person has to allow each call; a text is the question, in which `{path}` stands for that argument. An object says besides who decides. */
  readonly approval?: boolean | string | (Omit<ApprovalRules<never>, 'ask'> & { readonly ask?: boolean | string });
  /**
   * Works out what a call would do, for the person who is asked; see `preview` of `defineTool`. It gets the arguments that are sent, also those
   * that `arguments` adds. Only in TypeScript: a YAML file holds no functions.
   */
  readonly preview?: (input: JsonObject, context: RunContext) => unknown;
  /** Makes equal calls one call. `key` names the arguments that make them equal, or is a text in which `{path}` stands for one; without it all of them count. */
  readonly idempotency?: false | { readonly key?: string | readonly string[]; readonly ttlMs?: number };
  readonly timeoutMs?: number;
  readonly retry?: RetryRule | false;
  readonly cache?: { readonly ttlMs: number };
  readonly deferAfterMs?: number;
  readonly maxResultChars?: number;
  /** How many calls of each of these tools may begin in a minute, and run at once. */
  readonly limits?: { readonly perMinute?: number; readonly atOnce?: number };
  /** Whether secrets are hidden in successful results too. */
  readonly redact?: { readonly results: boolean };
  /** Leaves the tool out. */
  readonly hide?: boolean;
  /** Another name, where the rule is about one tool. */
  readonly rename?: string;
  /** Another description, for the model. */
  readonly description?: string;
  /** Arguments that every call gets; the model neither sees nor sets them. */
  readonly arguments?: JsonObject;
  /** Whether hints of the server, such as `readOnlyHint`, may make the tool less strict. @default false */
  readonly trustHints?: boolean;
  /** How to treat a tool whose contract has changed since it was accepted. @default as the gateway says */
  readonly drift?: DriftMode;
}

/** How to treat a tool whose contract has changed: refuse its calls, ask a person for each, or only warn. */
export type DriftMode = 'block' | 'ask' | 'warn';

export const driftModes: readonly DriftMode[] = ['block', 'ask', 'warn'];

/** All that the rules say about one tool. */
export type ToolRule = Omit<GatewayRule, 'server' | 'tool'>;

/** Checks rules, and names the one that is wrong by its place: `rules[2]`. */
export function checkRules(rules: readonly GatewayRule[], servers: readonly string[]): void {
  if (!Array.isArray(rules)) throw wrong('rules must be an array', ['rules']);
  (rules as readonly GatewayRule[]).forEach((rule, at) => {
    const what = `rules[${at}]`;
    if (typeof rule !== 'object' || rule === null)
      throw wrong(`${what} must be an object, such as { tool: 'delete_*', approval: true }`, ['rules', at]);
    inPlace(['rules', at], () => {
      refuseOptions<GatewayRule>(what, rule, {
        server: true,
        tool: true,
        effects: ['none', 'idempotent', 'writes'],
        approval: true,
        preview: 'a function',
        idempotency: true,
        timeoutMs: 'a number above 0',
        retry: true,
        cache: true,
        deferAfterMs: 'a number above 0',
        maxResultChars: 'a number above 0',
        limits: true,
        redact: true,
        hide: 'a boolean',
        rename: true,
        description: true,
        arguments: 'an object',
        trustHints: 'a boolean',
        drift: driftModes,
      });
      checkEach(what, rule);
      if (rule.limits !== undefined)
        refuseOptions(`${what}.limits`, rule.limits, { perMinute: 'a number above 0', atOnce: 'a number above 0' });
      if (rule.idempotency !== undefined && rule.idempotency !== false)
        refuseOptions(`${what}.idempotency`, rule.idempotency, { key: true, ttlMs: 'a number above 0' });
      if (rule.redact !== undefined) refuseOptions(`${what}.redact`, rule.redact, { results: 'a boolean' });
    });
    const { server = '*', tool = '*', rename, description = '' } = rule;
    const texts = { server, rename: rename ?? '', description, ...(typeof tool === 'string' ? { tool } : Object.assign({}, tool)) };
    for (const [option, value] of Object.entries(texts))
      if (typeof value !== 'string') throw wrong(`${what}: ${option} must be a text`, ['rules', at, option]);
    const patterns = [tool].flat() as readonly string[];
    if (!servers.some((name) => matches(server, name)))
      throw wrong(`${what}.server is ${JSON.stringify(server)}, but the servers are ${servers.join(', ')}`, ['rules', at, 'server']);
    if (rename !== undefined && patterns.some((pattern) => pattern.includes('*')))
      throw wrong(`${what}.rename gives one name, so its tool must be one, too: ${JSON.stringify(tool)} has a *`, ['rules', at, 'rename']);
  });
}

/** Checks what a rule states for `defineTool`, so that a mistake is told at its place and not at a tool. */
function checkEach(what: string, { approval, retry, cache }: GatewayRule): void {
  const ask = isRecord(approval) ? approval.ask : approval;
  if (!['undefined', 'boolean', 'string'].includes(typeof ask)) refuseOption(what, 'approval', 'true, false, a question or an object');
  checkApproval(what, approval);
  if (retry !== undefined && retry !== false) refuseOptions(`${what}.retry`, retry, retryOptions);
  if (cache !== undefined) refuseOptions(`${what}.cache`, cache, { ttlMs: 'a number above 0' });
}

/** Returns what the rules say about a tool of a server. */
export function ruleFor(rules: readonly GatewayRule[], server: string, tool: string): ToolRule {
  const found = rules.filter((rule) => isAbout(rule, server, tool));
  const { server: _, tool: __, ...rest } = Object.assign({}, ...found) as GatewayRule;
  return rest;
}

/**
 * Names what rules are about and no server lists, such as a misspelt tool: nobody would be asked before its calls. `listed` holds the tools of each
 * server; undefined for one that is down, which may list them later. One pattern of several may match nothing, a name may not.
 */
export function rulesWithoutTools(
  rules: readonly GatewayRule[],
  listed: ReadonlyMap<string, readonly string[] | undefined>,
): RuleFinding[] {
  return rules.flatMap(({ server = '*', tool = '*' }, at) => {
    const own = [...listed].filter(([name]) => matches(server, name));
    if (own.some(([, tools]) => tools === undefined)) return [];
    const names = own.flatMap(([, tools]) => tools ?? []);
    const patterns = [tool].flat().filter((pattern) => pattern !== '*');
    const missing = patterns.filter((pattern) => !own.some(([name, tools]) => tools?.some((one) => namesTool(pattern, name, one))));
    const told = missing.length === patterns.length ? missing : missing.filter((pattern) => !pattern.includes('*'));
    return told.map((pattern) => {
      const [nearest] = rankNames(pattern, names, 1);
      const hint = nearest === undefined ? '' : `. Did you mean ${nearest}?`;
      return { line: `rules[${at}] is about ${pattern}, which no server lists${hint}`, place: ['rules', at, 'tool'] };
    });
  });
}

/** A mistake in the rules that shows only beside the tools that servers list. */
export interface RuleFinding {
  readonly line: string;
  readonly place: readonly (string | number)[];
}

/** A tool as its server lists it, without the arguments that its rule adds. */
export interface RuledTool {
  readonly server: string;
  readonly tool: string;
  readonly inputSchema: unknown;
}

/** Names the arguments that questions and keys show and their tools do not have: a question would be asked with a gap in it. */
export function rulesWithoutArguments(rules: readonly GatewayRule[], tools: readonly RuledTool[]): RuleFinding[] {
  return rules.flatMap((rule, at) => {
    const { approval, idempotency } = rule;
    const ask = isRecord(approval) ? approval.ask : approval;
    const key = isRecord(idempotency) ? idempotency.key : undefined;
    const texts = [
      { option: 'approval', place: isRecord(approval) ? ['approval', 'ask'] : ['approval'], paths: placesIn(ask) },
      { option: 'idempotency', place: ['idempotency', 'key'], paths: Array.isArray(key) ? (key as readonly string[]) : placesIn(key) },
    ] as const;
    return texts.flatMap(({ option, place, paths }) =>
      paths.flatMap((path): RuleFinding[] => {
        const wanted = path.split('.')[0] ?? '';
        for (const { server, tool, inputSchema } of tools) {
          const names = parametersOf(inputSchema);
          // A later rule may say something else for this tool.
          const isMeant = isAbout(rule, server, tool) && ruleFor(rules, server, tool)[option] === rule[option];
          if (!isMeant || names === undefined || names.includes(wanted)) continue;
          const [nearest] = rankNames(wanted, names, 1);
          const hint = nearest === undefined ? '' : `. Did you mean {${nearest}}?`;
          return [
            { line: `rules[${at}].${place.join('.')} names {${path}}, which ${tool} does not take${hint}`, place: ['rules', at, ...place] },
          ];
        }
        return [];
      }),
    );
  });
}

function placesIn(text: unknown): readonly string[] {
  return typeof text === 'string' ? [...text.matchAll(places)].map(([, path]) => path ?? '') : [];
}

/** Returns the names of a tool's parameters; undefined where its schema allows others, or says elsewhere what it takes. */
function parametersOf(schema: unknown): readonly string[] | undefined {
  if (!isRecord(schema) || !isRecord(schema.properties) || (schema.additionalProperties ?? false) !== false) return undefined;
  return ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties'].some((word) => word in schema)
    ? undefined
    : Object.keys(schema.properties);
}

/** Returns the options of `defineTool` that a rule states. */
export function toDeclaration(rule: ToolRule): ToolDeclaration {
  const { effects, approval, preview, idempotency, timeoutMs, retry, cache, deferAfterMs, maxResultChars, redact } = rule;
  const stated = {
    effects,
    approval: isRecord(approval) ? { ...approval, ask: toQuestion(approval.ask ?? true) } : toQuestion(approval),
    preview: preview && ((input: unknown, context: RunContext) => preview({ ...(input as JsonObject), ...rule.arguments }, context)),
    idempotency: idempotency === undefined || idempotency === false ? undefined : toIdempotency(idempotency),
    timeoutMs,
    retry,
    cache,
    deferAfterMs,
    maxResultChars,
    redact,
  };
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)) as ToolDeclaration;
}

/** Returns a question whose places are filled with the arguments of each call. */
function toQuestion<TAsk>(ask: TAsk): TAsk | ((input: unknown) => string) {
  return typeof ask === 'string' && ask.includes('{') ? (input) => fillIn(ask, input) : ask;
}

/** Creates the guards that keep the limits of rules; `ruleOf` gives them by the tool's name in the gateway. */
export function limitGuards(rules: ReadonlyMap<string, ToolRule>, store: Store | undefined): Guard[] {
  const limitOf = (name: 'perMinute' | 'atOnce'): Readonly<Record<string, number>> =>
    Object.fromEntries([...rules].flatMap(([tool, { limits }]) => (limits?.[name] === undefined ? [] : [[tool, limits[name]]])));
  const [perMinute, atOnce] = [limitOf('perMinute'), limitOf('atOnce')];
  return [
    ...(Object.keys(perMinute).length > 0
      ? [rateLimit({ limit: Number.POSITIVE_INFINITY, tools: perMinute, ...(store && { store }) })]
      : []),
    ...(Object.keys(atOnce).length > 0 ? [concurrency({ perTool: atOnce })] : []),
  ];
}

/** Returns the schema of arguments without those that are fixed. */
export function withoutArguments(schema: JsonObject, fixed: JsonObject): JsonObject {
  const { properties, required } = schema;
  const isOpen = (key: string): boolean => !Object.hasOwn(fixed, key);
  return {
    ...schema,
    ...(isRecord(properties) && {
      properties: Object.fromEntries(Object.entries(properties).filter(([key]) => isOpen(key))) as JsonObject,
    }),
    ...(Array.isArray(required) && { required: required.filter((key) => isOpen(String(key))) }),
  };
}

function toIdempotency({
  key,
  ttlMs,
}: {
  readonly key?: string | readonly string[];
  readonly ttlMs?: number;
}): ToolDeclaration['idempotency'] {
  const read =
    key === undefined
      ? undefined
      : typeof key === 'string'
        ? (input: unknown) => fillIn(key, input)
        : (input: unknown) => key.map((path) => valueAt(input, path) ?? null);
  return { ...(read && { key: read as never }), ...(ttlMs !== undefined && { ttlMs }) };
}

const places = /\{([\w.-]+)\}/g;

/** Puts arguments into a text: `{path}` or `{order.id}`. */
function fillIn(text: string, input: unknown): string {
  return text.replaceAll(places, (whole, path: string) => {
    const value = valueAt(input, path);
    return value === undefined ? whole : typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function valueAt(input: unknown, path: string): JsonValue | undefined {
  let value = input;
  for (const key of path.split('.')) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value as JsonValue | undefined;
}

function isAbout({ server = '*', tool = '*' }: GatewayRule, name: string, listed: string): boolean {
  return matches(server, name) && [tool].flat().some((pattern) => namesTool(pattern, name, listed));
}

/** Checks a pattern against a tool, also one with the name of the server in it, as several servers show it: `files:read_*`. */
function namesTool(pattern: string, server: string, tool: string): boolean {
  return matches(pattern, tool) || (pattern.startsWith(`${server}:`) && matches(pattern.slice(server.length + 1), tool));
}

/** Checks a name against a pattern in which `*` stands for any text. */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  if (others.length === 0) return pattern === name;
  const last = others.pop() ?? '';
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found === -1 || found + part.length > name.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

function wrong(message: string, place: readonly (string | number)[]): ToolpactError {
  return new ToolpactError('invalid_option', message, { place: [...place] });
}
