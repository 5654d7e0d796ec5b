import { explainIssues, exportJsonSchema, type Resource } from '../../contract/index.ts';
import { canonicalJson, copyInput } from '../../json/index.ts';
import { defaultRedactor, type JsonObject, ToolFailure } from '../../outcome/index.ts';

const maxChars = 65_536;

/** Lays what a caller sent over the defaults, as a copy of its own. Throws a failure for something that is not a JSON object, or too large. */
export function mergeConfig(defaults: JsonObject | undefined, given: unknown): JsonObject {
  if (given !== undefined && given !== null && (typeof given !== 'object' || Array.isArray(given))) {
    throw new ToolFailure('invalid_input', 'The config of a session must be an object.');
  }
  let merged: JsonObject;
  try {
    const { value, json } = copyInput({ ...defaults, ...given });
    if (!json) throw new TypeError('no JSON');
    merged = value as JsonObject;
  } catch {
    throw new ToolFailure('invalid_input', 'The config of a session must be JSON, and not nested too deeply.');
  }
  if (JSON.stringify(merged).length > maxChars) {
    throw new ToolFailure('too_large', `The config of a session may have at most ${maxChars} characters.`);
  }
  return merged;
}

/** Checks a config and gives what `open` gets. Throws a failure that says what is wrong with it. */
export async function readConfig(resource: Resource, config: JsonObject): Promise<unknown> {
  if (resource.config === undefined) return config;
  const result = await resource.config['~standard'].validate(config);
  if (result.issues === undefined) return result.value;
  const issues = explainIssues(result.issues, schemaOf(resource), config).map((issue) => ({
    ...issue,
    path: ['config', ...issue.path],
    message: defaultRedactor.text(issue.message),
  }));
  const [first] = issues;
  const where = first === undefined ? '' : ` ${first.path.join('.')} ${first.message}.`;
  throw new ToolFailure('invalid_input', `The resource "${resource.type}" cannot be opened with this config.${where}`, { issues });
}

/** Checks whether two configs say the same, in whatever order. */
export function isSameConfig(a: JsonObject, b: JsonObject): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

function schemaOf({ config }: Resource): JsonObject | undefined {
  try {
    return config && exportJsonSchema(config, 'input');
  } catch {
    return undefined;
  }
}
