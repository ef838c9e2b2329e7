// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';

/** Where a kubelet listens. */
export interface KubeletAddress {
  readonly host: string;
  readonly port: number;
}

/** How the server reaches the kubelets of its nodes. */
export interface NodeConnector {
  /** Opens a connection to a kubelet; errors carry the system's code. */
  readonly connect: (address: KubeletAddress) => Promise<Duplex>;
  /** PEM of the CA of kubelets, and of the client certificate; without a CA kubelets are not verified. */
  readonly tls: { ca?: string; cert?: string; key?: string };
}

/** Reaches kubelets over the network. */
export const networkConnector: NodeConnector = {
  async connect({ host, port }) {
    const socket = connectTcp({ host, port });
    await once(socket, 'connect');
    return socket;
  },
  tls: {},
};
