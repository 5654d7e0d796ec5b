import { isRecord } from '../../json/index.ts';
import type { JsonObject } from '../../outcome/index.ts';

const longestNote = 120;
const mostValues = 10;

/** Returns a schema that is too long as an outline: its own fields with their types, values and the beginnings of their descriptions. */
export function outlineSchema(schema: JsonObject, maxChars: number): JsonObject {
  if (JSON.stringify(schema).length <= maxChars) return schema;
  const { properties, required } = schema;
  const names = Array.isArray(required) ? required : [];
  const fields = isRecord(properties) ? Object.entries(properties) : [];
  // The required ones come first: what does not fit is left out.
  const sorted = fields.toSorted(([a], [b]) => Number(names.includes(b)) - Number(names.includes(a)));
  const shown: [string, JsonObject][] = [];
  let chars = 100 + JSON.stringify(names).length;
  for (const [key, field] of sorted) {
    const outline = outlineField(field);
    chars += key.length + JSON.stringify(outline).length + 4;
    if (chars > maxChars && shown.length > 0) break;
    shown.push([key, outline]);
  }
  return { type: 'object', properties: Object.fromEntries(shown), ...(names.length > 0 && { required: names }) } as JsonObject;
}

function outlineField(field: unknown): JsonObject {
  if (!isRecord(field)) return {};
  const { type, description, enum: values, format } = field;
  return {
    ...(type !== undefined && { type }),
    ...(format !== undefined && { format }),
    ...(Array.isArray(values) && { enum: values.slice(0, mostValues) }),
    ...(typeof description === 'string' && {
      description: description.length > longestNote ? `${description.slice(0, longestNote)}…` : description,
    }),
  } as JsonObject;
}
