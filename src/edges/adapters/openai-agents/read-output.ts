import { isRecord } from '../../../core/json/index.ts';
import { type Content, fail, type ToolFailure, toReadFailure } from '../../../core/outcome/index.ts';
import { brokenInput, brokenOutput, brokenSchema } from '../frameworks/broken-schema.ts';
import { toBase64 } from '../frameworks/read-model-output.ts';
import { replyOfBlocks } from '../frameworks/reply-of-blocks.ts';
import { toFileBlock, toUrlBlock } from '../frameworks/to-file-block.ts';
import { toPlainText } from '../frameworks/to-plain-text.ts';

/** What is read of a tool to know the sentences that the SDK says in its place. */
interface Timed {
  readonly name: string;
  readonly timeoutMs?: number | undefined;
  readonly timeoutErrorFunction?: unknown;
}

/** What the SDK answers, without a word of the cause, where a tool throws and states no `errorFunction`. Earlier versions added the error's text. */
const thrownText = /^An error occurred while running the tool\. Please try again\.(?: Error: (.+))?$/s;

/** Recognises the fixed sentences with which the SDK answers in place of a tool that failed. They have no other mark. */
export function toldFailure(output: unknown, { name, timeoutMs, timeoutErrorFunction }: Timed): ToolFailure | undefined {
  if (typeof output !== 'string') return undefined;
  if (timeoutErrorFunction === undefined && output === `Tool '${name}' timed out after ${timeoutMs}ms.`) return fail('timeout', output);
  const [isThrown, said] = thrownText.exec(output) ?? [];
  if (isThrown === undefined) return undefined;
  return said === undefined
    ? fail('internal', 'The tool failed, and the SDK it was written for does not say why.')
    : toReadFailure(new Error(said), said);
}

/** The errors by which the SDK says that a value breaks a schema of the tool, by their class. */
const broken: Readonly<Record<string, typeof brokenInput>> = { InvalidToolInputError: brokenInput, InvalidToolOutputError: brokenOutput };

/** Gives the failure that an error of the SDK about arguments or results means; any other error as it is. */
export function thrownBySdk(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !Object.hasOwn(broken, thrown.constructor.name)) return thrown;
  const { originalError } = thrown as { originalError?: unknown };
  const issues = isRecord(originalError) && Array.isArray(originalError.issues) ? originalError.issues.filter(isRecord) : [];
  const found = issues.map(({ path, message }) => ({ path: Array.isArray(path) ? path.map(toStep) : [], message: String(message) }));
  return brokenSchema(broken[thrown.constructor.name] as typeof brokenInput, found, thrown);
}

function toStep(step: unknown): string | number {
  return typeof step === 'number' ? step : String(step);
}

/** Reads what a tool gave: its texts, images and files, one or a list, stay blocks; anything else is data. */
export function readOutput(output: unknown): unknown {
  const items: readonly unknown[] = Array.isArray(output) ? output : [output];
  const blocks = items.flatMap((item) => (isRecord(item) ? (readers.get(item.type)?.(item) ?? []) : []));
  return blocks.length === 0 || blocks.length < items.length ? output : replyOfBlocks(blocks);
}

type Item = Readonly<Record<string, unknown>>;

const readers: ReadonlyMap<unknown, (item: Item) => Content[]> = new Map<unknown, (item: Item) => Content[]>([
  ['text', ({ text }) => (typeof text === 'string' ? [{ type: 'text', text }] : [])],
  ['image', ({ image, imageUrl, ...rest }) => toMedia(image ?? imageUrl ?? rest, 'image/png')],
  ['file', ({ file, ...rest }) => toMedia(file ?? rest, 'application/octet-stream')],
]);

/** An image or a file is an address, data, or the id of an upload, which only OpenAI can read. */
function toMedia(given: unknown, usual: string): Content[] {
  if (typeof given === 'string') return [URL.canParse(given) ? toUrlBlock(given) : toFileBlock(usual, given)];
  if (!isRecord(given)) return [];
  const { url, data, mediaType, fileId, id = fileId } = given;
  if (typeof url === 'string') return [toUrlBlock(url, mediaType)];
  const base64 = typeof data === 'string' ? data : toBase64(data);
  if (base64 !== undefined) return [toFileBlock(typeof mediaType === 'string' ? mediaType : usual, base64)];
  return typeof id === 'string' ? [{ type: 'text', text: toPlainText({ fileId: id }) }] : [];
}
