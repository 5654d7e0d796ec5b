import type { JsonObject, JsonValue } from 'toolpact';
import { type Dialect, problem } from 'toolpact/dialects';
import { isRecord } from 'toolpact/internal';
import type { AnswerForm } from '../request/served-dialect.ts';
import { schemaRef, toComponent } from './to-component.ts';

const anyProfile = 'application/json; profile=*';
const usualName = 'UsualForm';

/** Stands in the content of an answer for one media type per dialect that a request can select: {@link fillForms} puts them there. */
export const everyDialect: JsonObject = { [anyProfile]: {} };

/** Stands for the schema of the form in which a route answers where a request selects none. */
export const usualForm: JsonObject = schemaRef(usualName);

/** Returns an operation whose responses have the dialects, and the usual form of its route, in the places that stand for them. */
export function fillResponses(operation: JsonObject, dialects: readonly Dialect[], usual?: AnswerForm): JsonObject {
  const { responses } = operation;
  return isRecord(responses) ? { ...operation, responses: fillForms(responses as JsonObject, dialects, usual) } : operation;
}

/** Returns responses with the dialects, and the usual form of their route, in the places that stand for them. */
export function fillForms(responses: JsonObject, dialects: readonly Dialect[], usual: AnswerForm = problem): JsonObject {
  const profiles = dialects.map(({ name }) => [`application/json; profile=${name}`, { schema: schemaRef(envelopeName(name)) }]);
  const fill = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(fill);
    if (!isRecord(value)) return value;
    if (value.$ref === usualForm.$ref) return schemaOf(usual);
    const filled = Object.entries(value).flatMap(([key, part]) => (key === anyProfile ? profiles : [[key, fill(part as JsonValue)]]));
    return Object.fromEntries(filled) as JsonObject;
  };
  return fill(responses) as JsonObject;
}

/** Returns the schemas of the envelopes, as components. */
export function envelopeSchemas(dialects: readonly Dialect[]): JsonObject {
  return Object.fromEntries(
    dialects.map((dialect) => [envelopeName(dialect.name), toComponent(envelopeName(dialect.name), dialect.jsonSchema())]),
  );
}

function schemaOf(form: AnswerForm): JsonObject {
  if (form === 'outcome') return schemaRef('Outcome');
  return schemaRef(form === problem ? 'Problem' : envelopeName(form.name));
}

/** The dialect `plain` would be `PlainEnvelope`. The names of components take no other characters than these. */
function envelopeName(dialect: string): string {
  return `${dialect.charAt(0).toUpperCase()}${dialect.slice(1).replace(/[^\w.-]/g, '_')}Envelope`;
}
