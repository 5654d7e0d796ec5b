import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canBeLonely, createLonelyNetwork } from '../../packages/restate/test/lonely-network.ts';
import { type Restate, startRestate, unusedPort } from '../fixtures/start-restate.ts';

const peers = fileURLToPath(new URL('../peers/', import.meta.url));

/** Three nodes of Restate that are one cluster. */
export interface Cluster {
  readonly nodes: readonly Restate[];
  /** Registers a worker, or an address behind which several are. */
  readonly register: (uri: string) => Promise<void>;
  /** Kills what is left of it. */
  readonly close: () => Promise<void>;
}

/**
 * Starts three nodes of Restate that are one cluster: what is acknowledged lies on two of them. Each asks GitHub for its newest release at each start;
 * where this machine allows it, they are in a network of their own, and reach nothing but each other and the workers.
 */
export async function startCluster(folder: string): Promise<Cluster> {
  mkdirSync(folder, { recursive: true });
  const ports = await Promise.all(
    [1, 2, 3].map(async () => ({ ingress: await unusedPort(), admin: await unusedPort(), node: await unusedPort() })),
  );
  const network = canBeLonely() ? await createLonelyNetwork(folder) : undefined;
  for (const { ingress, admin } of ports) for (const port of [ingress, admin]) await network?.leadIn(port);
  const addresses = JSON.stringify(ports.map(({ node }) => `http://127.0.0.1:${node}/`));
  const nodes = await Promise.all(
    ports.map((own, index) =>
      startRestate({
        folder: join(folder, `node-${index + 1}`),
        from: peers,
        ports: own,
        ...(network && { launcher: network.launcher }),
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
  return {
    nodes,
    async register(uri) {
      await network?.leadOut(Number(new URL(uri).port));
      await nodes[0]?.register(uri);
    },
    async close() {
      await Promise.all(nodes.map((node) => node.stop('crash')));
      network?.close();
    },
  };
}
