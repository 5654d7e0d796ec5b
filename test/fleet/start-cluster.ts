import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Restate, startRestate, unusedPort } from '../../src/parts/engines/index.ts';

const peers = fileURLToPath(new URL('../peers/', import.meta.url));

/** Starts three nodes of Restate that are one cluster: what is acknowledged lies on two of them. */
export async function startCluster(folder: string): Promise<readonly Restate[]> {
  const ports = await Promise.all(
    [1, 2, 3].map(async () => ({ ingress: await unusedPort(), admin: await unusedPort(), node: await unusedPort() })),
  );
  const addresses = JSON.stringify(ports.map(({ node }) => `http://127.0.0.1:${node}/`));
  return Promise.all(
    ports.map((own, index) =>
      startRestate({
        folder: join(folder, `node-${index + 1}`),
        from: peers,
        ports: own,
        settings: {
          RESTATE_CLUSTER_NAME: 'toolpact-fleet',
          RESTATE_NODE_NAME: `node-${index + 1}`,
          RESTATE_AUTO_PROVISION: String(index === 0),
          RESTATE_DEFAULT_REPLICATION: '2',
          RESTATE_DEFAULT_NUM_PARTITIONS: '6',
          RESTATE_METADATA_CLIENT__ADDRESSES: addresses,
          RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${own.node}/`,
        },
      }),
    ),
  );
}
