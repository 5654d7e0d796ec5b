import { canonicalJson, isRecord } from '../../json/index.ts';
import type { Issue, JsonObject, JsonValue } from '../../outcome/index.ts';
import type { GrantRule } from '../../ports/index.ts';

type GrantRules = Readonly<Record<string, GrantRule>>;

/** Creates the rules of a grant out of the arguments of the call that is approved, and of what its approver lets differ. */
export function toGrantRules(
  asked: JsonValue,
  given: unknown = {},
): { readonly rules: GrantRules } | { readonly issues: readonly Issue[] } {
  if (!isRecord(asked)) return { issues: [toIssue([], 'the arguments are no object')] };
  if (!isRecord(given)) return { issues: [toIssue([], 'the rules must be an object')] };
  const rules: Record<string, GrantRule> = {};
  for (const [name, value] of Object.entries(asked)) define(rules, name, { equals: value as JsonValue });
  const issues: Issue[] = [];
  for (const [name, rule] of Object.entries(given)) {
    const read = readRule(rule);
    if (read === undefined) issues.push(toIssue([name], "a rule is 'any', { equals }, { oneOf: [...] } or { min, max }"));
    else if (!covers(read, asked[name])) issues.push(toIssue([name], 'the call that is approved is not covered'));
    else define(rules, name, read);
  }
  return issues.length > 0 ? { issues } : { rules };
}

/** Checks whether a call with these arguments is covered: each of them, and nothing that no rule speaks of. */
export function coversAll(rules: GrantRules, args: unknown): boolean {
  if (!isRecord(args)) return false;
  const givenNames = Object.keys(args).filter((name) => args[name] !== undefined);
  if (givenNames.some((name) => !Object.hasOwn(rules, name))) return false;
  return Object.entries(rules).every(([name, rule]) => covers(rule, Object.hasOwn(args, name) ? args[name] : undefined));
}

/** Says which calls a grant covers. */
export function sayRules(tool: string, rules: GrantRules): string {
  const parts = Object.entries(rules).map(([name, rule]) => sayRule(name, rule));
  return parts.length === 0 ? `${tool} without arguments` : `${tool} with ${parts.join(', ')}`;
}

function sayRule(name: string, rule: GrantRule): string {
  if (rule === 'any') return `any ${name}`;
  if ('equals' in rule) return `${name} ${JSON.stringify(rule.equals)}`;
  if ('oneOf' in rule) return `${name} ${rule.oneOf.map((value) => JSON.stringify(value)).join(' or ')}`;
  const { min, max } = rule;
  if (min === undefined) return `${name} up to ${max}`;
  return max === undefined ? `${name} of at least ${min}` : `${name} from ${min} to ${max}`;
}

function covers(rule: GrantRule, value: unknown): boolean {
  if (rule === 'any') return true;
  if (value === undefined) return false;
  if ('equals' in rule) return isEqual(rule.equals, value);
  if ('oneOf' in rule) return rule.oneOf.some((one) => isEqual(one, value));
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = rule;
  return typeof value === 'number' && value >= min && value <= max;
}

/** A number and its text, or what only looks alike, are not equal. */
function isEqual(allowed: JsonValue, value: unknown): boolean {
  return typeof allowed === typeof value && canonicalJson(allowed) === canonicalJson(value);
}

function readRule(rule: unknown): GrantRule | undefined {
  if (rule === 'any') return rule;
  if (!isRecord(rule)) return undefined;
  const names = Object.keys(rule).join();
  if (names === 'equals') return rule.equals === undefined ? undefined : { equals: rule.equals as JsonValue };
  if (names === 'oneOf')
    return Array.isArray(rule.oneOf) && rule.oneOf.length > 0 ? { oneOf: rule.oneOf as readonly JsonValue[] } : undefined;
  const bounds = Object.entries(rule);
  const isSound = bounds.length > 0 && bounds.every(([name, bound]) => /^(min|max)$/.test(name) && Number.isFinite(bound));
  return isSound ? (rule as { readonly min?: number; readonly max?: number }) : undefined;
}

/** An argument may have any name. */
function define(rules: Record<string, GrantRule>, name: string, rule: GrantRule): void {
  Object.defineProperty(rules, name, { value: rule, enumerable: true, configurable: true });
}

function toIssue(path: Issue['path'], message: string): Issue {
  return { path, problem: 'rule', message };
}

/** The stored form of a grant. */
export interface StoredPermit {
  readonly v: 1;
  readonly for: 'run' | 'session' | 'user';
  readonly userId?: string;
  readonly sessionId?: string;
  readonly runId?: string;
  readonly input: GrantRules & JsonObject;
  readonly words: string;
  readonly terms: string;
  /** The preview as shown, if the tool has one. */
  readonly plan?: string;
  readonly approval: string;
  readonly by?: string;
  readonly reason?: string;
}
