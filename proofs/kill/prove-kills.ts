// Kills every host with Toolpact at every moment. Usage: node scripts/run.mjs proof kill
import process from 'node:process';
import { hostNames, loadHost, variantsOf } from './hosts.ts';
import { breaksPromise } from './judge.ts';
import { type MomentName, moments } from './moments.ts';
import { runCell } from './run-cell.ts';
import { startServers } from './servers.ts';

const broken: string[] = [];
for (const name of hostNames) {
  const host = await loadHost(name);
  const servers = await startServers(host.needs);
  for (const variant of variantsOf(host).filter((one) => one === 'toolpact' || one === 'unsure')) {
    for (const moment of Object.keys(moments) as MomentName[]) {
      if ('asks' in moments[moment] && !host.asks) continue;
      const cell = await runCell({ host: name, variant, moment, servers: await servers.forCell() });
      const isBroken = breaksPromise(cell);
      if (isBroken) broken.push(`${name} ${variant} ${moment}`);
      console.log(`${isBroken ? 'BROKEN' : 'held'} ${name} ${variant} ${moment}: paid ${cell.paid}, ${cell.end}, told ${cell.told}`);
    }
  }
  await servers.close();
}
console.log(broken.length === 0 ? 'nothing was paid twice' : `broken: ${broken.join(', ')}`);
process.exit(broken.length === 0 ? 0 : 1);
