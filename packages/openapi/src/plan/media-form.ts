/** How a response of a media type is read. */
export type MediaForm = 'json' | 'text' | 'bytes';

const lines = /json-?(?:seq|l|lines)\b|ndjson/i;
const json = /[/+]json\b/i;
const texts = /^text\/|[/+]xml\b|yaml|javascript|urlencoded|graphql/i;

/** Says what an answer of a media type is read as. JSON in lines is a text: it is not one value. */
export function mediaForm(type: string): MediaForm {
  if (lines.test(type)) return 'text';
  if (json.test(type)) return 'json';
  return texts.test(type) ? 'text' : 'bytes';
}
