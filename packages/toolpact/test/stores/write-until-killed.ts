// Claims and completes keys until it is killed, and tells each that was acknowledged: write-until-killed.ts <address> <round>
import { writeSync } from 'node:fs';
import process from 'node:process';
import { openStore } from './open-store.ts';

const [address = '', round = ''] = process.argv.slice(2);
const store = openStore(JSON.parse(address));

async function write(writer: number): Promise<never> {
  for (let count = 0; ; count += 1) {
    const record = { space: 'kill', tenant: 't', key: `${round}-${writer}-${count}` };
    await store.put({ ...record, value: { v: 1, state: 'claimed' } }, 0);
    tell(`claimed ${record.key}`);
    await store.put({ ...record, value: { v: 1, state: 'done', text: 'x'.repeat(count % 5000) } }, 1);
    tell(`done ${record.key}`);
    const { count: counted } = await store.add({ space: 'kill', tenant: 't', key: round }, 1, 3_600_000);
    tell(`counted ${counted}`);
  }
}

function tell(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      // The pipe is full; the reader is slower than we are.
      if ((error as { code?: string }).code !== 'EAGAIN') throw error;
    }
  }
}

await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
