import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Measures how many milliseconds a fresh Node takes to import each module: the median of so many starts, the modules in turn, so that a busy moment strikes all. */
export function measureImports<TModule extends string>(modules: readonly TModule[], starts: number): Readonly<Record<TModule, number>> {
  const times = new Map(modules.map((name) => [name, [] as number[]]));
  // Otherwise code that Node compiled before would be read from there.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  for (let start = 0; start < starts; start += 1) {
    for (const [name, taken] of times) {
      const program = `const startedAt = performance.now(); await import('${name}'); console.log(performance.now() - startedAt);`;
      taken.push(Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: root, env, encoding: 'utf8' })));
    }
  }
  const medians = [...times].map(([name, taken]) => [name, taken.toSorted((a, b) => a - b)[Math.floor(taken.length / 2)]] as const);
  return Object.fromEntries(medians) as Record<TModule, number>;
}
