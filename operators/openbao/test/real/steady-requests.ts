// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { connect } from 'node:tls';
import { apiPort } from '../../api/names.ts';
import type { LiveOpenBao } from './live-openbao.ts';

/** What was asked meanwhile. */
interface Requests {
  sent: number;
  readonly failures: string[];
}

/** Requests that go on until they are stopped. */
interface SteadyRequests {
  stop(): Promise<Requests>;
}

/** Per second, over all connections. */
const rate = 20;

/** Asks every server over a connection that is kept, and the Service over fresh ones, in turn, at the same time. */
export async function steadyRequests(bao: LiveOpenBao): Promise<SteadyRequests> {
  const requests: Requests = { sent: 0, failures: [] };
  const kept = await Promise.all((await bao.pods()).map(({ metadata }) => keptConnection(bao, metadata.name)));
  const fresh = async () => {
    if ((await bao.read('canary', bao.names.publicService)) !== 'sings') throw new Error('the canary is missing');
  };
  const ways = kept.flatMap((each) => [each, fresh]);
  const enough = new AbortController();
  const pending = new Set<Promise<void>>();
  const running = (async () => {
    for (let turn = 0; !enough.signal.aborted; turn += 1) {
      const way = ways[turn % ways.length] ?? fresh;
      const asking = way().catch((error: unknown) => {
        requests.failures.push(`${new Date().toISOString()} ${way === fresh ? 'fresh' : 'kept'}: ${String(error)}`);
      });
      requests.sent += 1;
      pending.add(asking);
      void asking.finally(() => pending.delete(asking));
      await setTimeout(1000 / rate);
    }
  })();
  return {
    async stop() {
      enough.abort();
      await running;
      await Promise.all(pending);
      return requests;
    },
  };
}

/** The certificate that a server presents to a new connection, in PEM without its frame. */
export async function servedCertificate(bao: LiveOpenBao, pod: string): Promise<string> {
  const socket = await secured(bao, pod);
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return raw.toString('base64');
}

async function secured(bao: LiveOpenBao, pod: string) {
  const host = `${pod}.${bao.names.headlessService}.${bao.ref.namespace}.svc`;
  const { 'ca.crt': ca = '' } = await bao.secret(bao.names.caSecret);
  const stream = await bao.cluster.node.dial(host, apiPort);
  const socket = connect({ socket: stream, ca, servername: host });
  await once(socket, 'secureConnect');
  return socket;
}

/** A request over one and the same connection. */
async function keptConnection(bao: LiveOpenBao, pod: string): Promise<() => Promise<void>> {
  const socket = await secured(bao, pod);
  class OneConnection extends Agent {
    override createConnection() {
      return socket;
    }
  }
  const agent = new OneConnection({ keepAlive: true, maxSockets: 1 });
  return async () => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const sent = request({ agent, host: 'pod', path: '/v1/sys/health?standbyok=true' }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject).end();
    const status = await promise;
    if (status !== 200) throw new Error(`${pod} answered ${status}`);
  };
}
