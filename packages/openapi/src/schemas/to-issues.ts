import type { ErrorObject } from 'ajv';
import type { StandardIssue } from 'toolpact';
import { readPointer } from 'toolpact/internal';

const maxErrors = 300;

/** Turns what the validator found into Standard Schema issues, each at the field it is about. */
export function toIssues(errors: readonly ErrorObject[], value: unknown): StandardIssue[] {
  // Of nested unions only the last issue is about the whole value; the others are too many to help.
  const shown = errors.length > maxErrors ? errors.slice(-1) : withoutOtherBranches(errors);
  return shown.map((error) => ({
    message: error.message ?? 'does not fit its schema',
    path: pathOf(error, value),
  }));
}

/** Errors that are about a field below the place they are reported at, and where they name it. */
const named: Readonly<Record<string, string>> = {
  required: 'missingProperty',
  dependentRequired: 'missingProperty',
  dependencies: 'missingProperty',
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
  propertyNames: 'propertyName',
};

function pathOf({ instancePath, keyword, params }: ErrorObject, value: unknown): (string | number)[] {
  const field: unknown = params[named[keyword] ?? ''];
  const steps = readPointer(instancePath);
  let at: unknown = value;
  const path = steps.map((step) => {
    const key = Array.isArray(at) ? Number(step) : step;
    at = (at as Record<string | number, unknown> | null | undefined)?.[key];
    return key;
  });
  return typeof field === 'string' ? [...path, field] : path;
}

/**
 * Keeps, of a union that nothing fits, what is wrong with the branch that fits best: the validator reports every branch, and what is
 * wrong with the others would send the reader the wrong way.
 */
function withoutOtherBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let kept = errors;
  for (const union of errors) {
    if (union.keyword !== 'anyOf' && union.keyword !== 'oneOf') continue;
    const end = kept.indexOf(union);
    if (end === -1) continue;
    const inside = kept.slice(0, end).filter((error) => isInside(error, union));
    const branches = Map.groupBy(inside, (error) => branchOf(error, union));
    const [best] = [...branches.values()].sort((a, b) => weightOf(a, union) - weightOf(b, union));
    const chosen = best !== undefined && weightOf(best, union) < otherType ? best : [union];
    kept = kept.filter((error) => (error === union || inside.includes(error) ? chosen.includes(error) : true));
  }
  return kept;
}

function isInside({ instancePath }: ErrorObject, union: ErrorObject): boolean {
  return instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`);
}

/** Names the branch an error comes from: its number, or the definition it refers to. */
function branchOf({ schemaPath }: ErrorObject, union: ErrorObject): string {
  const own = `${union.schemaPath}/`;
  return schemaPath.startsWith(own) ? (schemaPath.slice(own.length).split('/')[0] ?? '') : schemaPath.split('/').slice(0, 3).join('/');
}

const otherType = 100;

/** The more, the less likely it is that this branch was meant: another type altogether, or another value of the field that distinguishes the branches. */
function weightOf(errors: readonly ErrorObject[], { instancePath }: ErrorObject): number {
  return errors.reduce((sum, error) => {
    if (error.keyword === 'type' && error.instancePath === instancePath) return sum + otherType;
    return sum + (error.keyword === 'const' || error.keyword === 'enum' ? 10 : 1);
  }, 0);
}
