import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolpactError } from '../../../core/outcome/index.ts';
import type { InspectorFile, InspectorFiles } from '../inspector/inspector-options.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Beside the compiled code; the sources run with the files of the last build. */
const folders = ['../../../inspector/', '../../../../dist/inspector/'];
let read: InspectorFiles | undefined;

/** Reads the files of the inspector page out of this package, for `createServer(toolbox, { inspector: { files: inspectorFiles() } })`. Throws where they were not built. */
export function inspectorFiles(): InspectorFiles {
  read ??= readFiles();
  return read;
}

function readFiles(): InspectorFiles {
  const folder = folders.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(new URL('index.html', url)));
  if (folder === undefined) throw new ToolpactError('missing_package', 'the inspector page is not built; `npm run build` builds it');
  const paths = readdirSync(fileURLToPath(folder), { recursive: true }).map((path) => String(path).replaceAll('\\', '/'));
  const files = paths.flatMap((path): (readonly [string, InspectorFile])[] => {
    const type = types[extname(path)];
    return type === undefined ? [] : [[path, { type, text: readFileSync(new URL(path, folder), 'utf8') }]];
  });
  return new Map(files);
}
