import { ToolpactError } from 'toolpact';

/** The files of the page by their path below `inspector/`; `index.html` is the page. */
export type InspectorFiles = ReadonlyMap<string, InspectorFile>;

/** One file of the page. */
type InspectorFile = {
  readonly type: string;
  readonly text: string;
};

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The same from the source and from what is built of it: this file stays one of its own there. */
const folder = '../../dist/inspector/';
/** Kept as a text: bundlers such as that of Next.js look, while they build, for the file that an address made of `import.meta.url` itself names, and fail where there is none. */
const own: string = import.meta.url;
let read: InspectorFiles | undefined;

/** Reads the files of the inspector page out of this package. Throws where they were not built, and on platforms without a file system. */
export function inspectorFiles(): InspectorFiles {
  read ??= readFiles();
  return read;
}

/** Not imported: a server without the page also runs where there is no `node:fs`. */
function readFiles(): InspectorFiles {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  if (fs === undefined)
    throw new ToolpactError('missing_package', 'there are no files here; set `inspector.files`, or set `inspector.page` to false');
  const page = new URL(`${own}/../${folder}`);
  if (!fs.existsSync(new URL('index.html', page)))
    throw new ToolpactError('missing_package', 'the inspector page is not built; `npm run build` builds it');
  const paths = fs.readdirSync(page, { recursive: true }).map((path) => String(path).replaceAll('\\', '/'));
  return new Map(
    paths.flatMap((path): (readonly [string, InspectorFile])[] => {
      const type = types[path.slice(path.lastIndexOf('.') + 1)];
      return type === undefined ? [] : [[path, { type, text: fs.readFileSync(new URL(path, page), 'utf8') }]];
    }),
  );
}
