// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Toolbox } from '../../host/toolbox.ts';
import { attachTo } from '../containers/attach-to.ts';
import { podDialer } from '../network/pod-dialer.ts';
import type { Kubelet } from '../pods/kubelet.ts';
import { spdyStreams, webSocketStreams, type StreamName } from '../streaming/command-streams.ts';
import { serveCommand } from '../streaming/serve-command.ts';
import { servePortForward } from '../streaming/serve-port-forward.ts';
import { serverWebSocket } from '../streaming/server-web-socket.ts';
import { upgradeConnection, UpgradeRejectedError } from '../streaming/upgrade-connection.ts';
import { webSocketTunnel } from '../streaming/web-socket-tunnel.ts';

interface StreamServer {
  kubelet: Pick<Kubelet, 'pod'>;
  tools: Toolbox;
}

type KubeletPod = NonNullable<ReturnType<Kubelet['pod']>>;

/**
 * Serves exec, attach and portForward on an upgraded connection; throws {@link UpgradeRejectedError} before the
 * upgrade.
 */
export async function serveStreams(
  { kubelet, tools }: StreamServer,
  request: IncomingMessage,
  connection: Duplex,
): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'https://kubelet');
  const [what, namespace = '', name = '', container = ''] = pathname.split('/').slice(1).map(decodeURIComponent);
  const pod = kubelet.pod(namespace, name);
  if (pod === undefined) throw new UpgradeRejectedError(404, 'pod does not exist');
  if (what === 'portForward') return forwardPorts(pod, tools, request, connection);
  if (what !== 'exec' && what !== 'attach') throw new UpgradeRejectedError(404, `the node does not serve ${pathname}`);

  const running = pod.running(container);
  if (running === undefined) throw new UpgradeRejectedError(404, `container not found (${JSON.stringify(container)})`);
  const wanted = wantedStreams(query);
  const agreed = upgradeConnection(request, connection, { webSocket: channelProtocols, spdy: ['v4.channel.k8s.io'] });
  const caller =
    agreed === 'webSocket'
      ? webSocketStreams(serverWebSocket(connection), wanted)
      : await spdyStreams(connection, wanted);
  const [stdin, tty] = [wanted.includes('stdin'), wanted.includes('resize')];
  const command =
    what === 'attach' ? attachTo(running, stdin) : await running.run(query.getAll('command'), { stdin, tty });
  await serveCommand(caller, command);
}

async function forwardPorts(
  { networkNamespace }: KubeletPod,
  tools: Toolbox,
  request: IncomingMessage,
  connection: Duplex,
): Promise<void> {
  if (networkNamespace === undefined) throw new UpgradeRejectedError(500, 'the pod has no network yet');
  const agreed = upgradeConnection(request, connection, { webSocket: tunnelProtocols, spdy: ['portforward.k8s.io'] });
  const dialer = podDialer(tools, networkNamespace);
  try {
    const inner = agreed === 'webSocket' ? webSocketTunnel(serverWebSocket(connection)) : connection;
    await servePortForward(inner, (port) => dialer.dial(port));
  } finally {
    dialer.close();
  }
}

const channelProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const tunnelProtocols = ['SPDY/3.1+portforward.k8s.io'];

function wantedStreams(query: URLSearchParams): StreamName[] {
  const tty = query.get('tty') === '1';
  return [
    ...(query.get('input') === '1' ? (['stdin'] as const) : []),
    ...(query.get('output') === '1' ? (['stdout'] as const) : []),
    // A terminal has a single output.
    ...(query.get('error') === '1' && !tty ? (['stderr'] as const) : []),
    'error',
    ...(tty ? (['resize'] as const) : []),
  ];
}
