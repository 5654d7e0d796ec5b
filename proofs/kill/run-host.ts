import process from 'node:process';
import type { KillHost } from './host.ts';
import { createLife, type LifeFacts } from './life.ts';

/** One process of a run; the runner starts it, and kills it. Usage: node --import ./scripts/resolve-source.ts proofs/kill/run-host.ts <host> <facts> */
const [name = '', facts = ''] = process.argv.slice(2);
const { host } = (await import(new URL(`hosts/${name}.ts`, import.meta.url).href)) as { host: KillHost };
const life = createLife(JSON.parse(facts) as LifeFacts);
try {
  const answer = await host.run(life);
  await life.tell(answer === undefined ? 'run waits' : 'run ends', answer === undefined ? {} : { answer });
  process.exit(0);
} catch (thrown) {
  await life.tell('run fails', { message: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown) });
  process.exit(1);
}
