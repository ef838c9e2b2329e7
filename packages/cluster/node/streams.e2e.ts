// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { Pod, Service } from '@forge/kube/kinds/builtin.ts';
import { eventually } from '@forge/testing/programs/eventually.ts';
import { processCluster, type ProcessCluster } from '@forge/testing/programs/process-cluster.ts';
import { kubectlFor, type Protocol } from './test/kubectl.ts';

const ref = { namespace: 'default', name: 'talker' };
const protocols: readonly Protocol[] = ['WebSocket', 'SPDY'];

/** Responds to every GET with its path. */
const webServer = `
from http.server import BaseHTTPRequestHandler, HTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.path.encode())
HTTPServer(('', 8099), Handler).serve_forever()
`;

const talker: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...ref, labels: { app: 'talker' } },
  spec: {
    terminationGracePeriodSeconds: 1,
    automountServiceAccountToken: false,
    containers: [
      {
        name: 'main',
        image: 'mariadb:10.11',
        command: ['sh', '-c', 'echo one; echo two >&2; while read word; do echo "received $word"; done; sleep 3600'],
        stdin: true,
      },
      { name: 'console', image: 'mariadb:10.11', command: ['sh'], stdin: true, tty: true },
      {
        name: 'cache',
        image: 'memcached:1.6',
        // Listens on the pod's loopback only.
        command: ['memcached', '-l', '127.0.0.1', '-p', '11277'],
        ports: [{ name: 'memory', containerPort: 11_277 }],
      },
      { name: 'web', image: 'c5c3/keystone:2025.2', command: ['python3', '-c', webServer] },
    ],
  },
};

function exec(...command: string[]): string[] {
  return ['exec', ref.name, '-c', 'main', '--', ...command];
}

function runs(pattern: RegExp): boolean {
  return execFileSync('ps', ['axo', 'args='], { encoding: 'utf8' })
    .split('\n')
    .some((line) => pattern.test(line));
}

describe('kubectl on the node', () => {
  let cluster: ProcessCluster;
  let kubectl: ReturnType<typeof kubectlFor>;

  before(async () => {
    cluster = await processCluster();
    kubectl = kubectlFor(cluster.kubeconfig);
    const { client } = cluster;
    await client.create(Pod, talker);
    const ports = [
      { name: 'memory', port: 80, targetPort: 'memory' },
      { name: 'web', port: 8080, targetPort: 8099 },
      { name: 'closed', port: 99 },
    ];
    const spec = { selector: { app: 'talker' }, ports };
    await client.create(Service, { apiVersion: 'v1', kind: 'Service', metadata: ref, spec });
    await eventually('the pod is ready', async () => {
      const { status } = await client.get(Pod, ref);
      return status?.containerStatuses?.every(({ ready }) => ready);
    });
  });
  after(() => cluster[Symbol.asyncDispose]());

  /** kubectl in a terminal of 33 rows and 101 columns. */
  function atTerminal(args: string) {
    const session = `stty rows 33 cols 101; exec kubectl ${args}`;
    const child = kubectl.start(['--quiet', '--return', '--command', session, '/dev/null'], 'WebSocket', 'script');
    let screen = '';
    child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
    const type = async (keys: string, shows: RegExp) => {
      child.stdin.write(keys);
      await eventually(`the screen shows ${shows}`, () => shows.test(screen));
    };
    return { child, type, screen: () => screen };
  }

  for (const protocol of protocols) {
    test(`runs a command over ${protocol}: its input, both outputs, and its exit code`, async () => {
      const result = await kubectl.ended(kubectl.start(exec('sh', '-c', 'id -u; pwd >&2; exit 3'), protocol));
      assert.deepEqual([result.code, result.out, result.err.split('\n')[0]], [3, '999\n', '/']);
      const input = randomBytes(3_000_000);
      const args = ['exec', '-i', ref.name, '-c', 'main', '--', 'md5sum'];
      const { code, out } = await kubectl.ended(kubectl.start(args, protocol), input);
      assert.deepEqual([code, out], [0, `${createHash('md5').update(input).digest('hex')}  -\n`]);
    });

    test(`kills a command over ${protocol} when kubectl is killed`, async () => {
      const child = kubectl.start(exec('sh', '-c', 'sleep 7331 & sleep 7331'), protocol);
      await eventually('it sleeps', () => runs(/^sleep 7331/));
      child.kill('SIGKILL');
      await eventually('no process sleeps any more', () => !runs(/^sleep 7331/));
    });

    test(`forwards a port over ${protocol} to the pod’s loopback, for several clients at once`, async () => {
      for (const target of [`pod/${ref.name}`, `svc/${ref.name}`]) {
        const child = kubectl.start(['port-forward', target, target.startsWith('pod') ? ':memory' : ':80'], protocol);
        const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
        const port = Number(/127\.0\.0\.1:(\d+) -> 11277/.exec(line)?.[1]);
        const answers = [1, 2, 3].map(async () => {
          const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
          socket.end('version\r\n');
          return text(socket);
        });
        for (const answer of await Promise.all(answers)) assert.match(answer, /^VERSION 1\.6\./);
        child.kill();
        await once(child, 'close');
      }
      await eventually('no helper is left', () => !runs(/pod-dialer-process/));
    });
  }

  test('sends requests to a Service through the API server', async () => {
    const service = `/api/v1/namespaces/default/services/${ref.name}`;
    const get = (path: string) => kubectl.ended(kubectl.start(['get', '--raw', `${service}${path}`]));
    await eventually('the Service has a ready pod', async () => (await get(':web/proxy/')).code === 0);
    assert.equal((await get(':8080/proxy/some/path?color=red')).out, '/some/path?color=red');
    assert.match(
      (await get(':99/proxy/')).err,
      /error trying to reach service: dial tcp \S+:99: connect: connection refused/,
    );
    assert.match((await get(':1/proxy/')).err, /no service port 1 found for service "talker"/);
    assert.match((await get('-none:80/proxy/')).err, /services "talker-none" not found/);
  });

  test('reports errors of a forwarded port', async () => {
    const child = kubectl.start(['port-forward', `pod/${ref.name}`, ':99']);
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    connect(Number(/127\.0\.0\.1:(\d+)/.exec(line)?.[1]), '127.0.0.1').on('error', () => {});
    const { err } = await kubectl.ended(child);
    assert.match(err, /error forwarding port 99 to pod: dial tcp 127\.0\.0\.1:99: connect: connection refused/);
  });

  test('has a terminal with a size, in which Ctrl+C interrupts the command but not the shell', async () => {
    const { child, type, screen } = atTerminal(`exec -it ${ref.name} -c main -- sh`);
    await type('', /\$ $/);
    await eventually('the size is known', async () => {
      await type('stty size\n', /\d+ \d+\r\n\$ $/);
      return screen().includes('33 101');
    });
    child.stdin.write('sleep 7332\n');
    await eventually('it sleeps', () => runs(/^sleep 7332/));
    await type('\u0003', /\^C\r\n\$ $/);
    await type('echo "ended with $?"\n', /ended with 130/);
    const closed = once(child, 'close');
    child.stdin.write('exit 5\n');
    assert.equal((await closed)[0], 5);
  });

  test('closes a terminal when it is killed', async () => {
    const { child } = atTerminal(`exec -it ${ref.name} -c main -- sleep 7333`);
    await eventually('it sleeps', () => runs(/^sleep 7333/));
    child.kill('SIGKILL');
    await eventually('no process sleeps any more', () => !runs(/^sleep 7333/));
  });

  test('attaches to a container: receives its output from then on, and sends input', async () => {
    const child = kubectl.start(['attach', '-i', ref.name, '-c', 'main']);
    const lines = createInterface({ input: child.stdout });
    const received = once(lines, 'line') as Promise<[string]>;
    await once(child.stderr, 'data');
    child.stdin.write('hello\n');
    assert.deepEqual(await received, ['received hello']);
    child.kill();
    await once(child, 'close');
    const { out } = await kubectl.ended(kubectl.start(['logs', ref.name, '-c', 'main']));
    assert.deepEqual(out.split('\n').toSorted(), ['', 'one', 'received hello', 'two']);
  });

  test("attaches to a container's terminal, which gets the size and stays open after detaching", async () => {
    for (const visitor of ['ann', 'ben']) {
      const { child, type, screen } = atTerminal(`attach -it ${ref.name} -c console`);
      await type(`hello=${visitor}\n`, /\$ $/);
      await type('echo "hello $hello"\n', new RegExp(`\nhello ${visitor}`));
      await eventually('the size is known', async () => {
        await type('stty size\n', /\d+ \d+\r\n\$ $/);
        return screen().includes('33 101');
      });
      child.kill();
      await once(child, 'close');
    }
  });

  test('reports missing pods and containers', async () => {
    const previous = await kubectl.ended(kubectl.start(['logs', '--previous', ref.name, '-c', 'main']));
    assert.match(previous.err, /previous terminated container "main" in pod "talker" not found/);
    const missing = await kubectl.ended(kubectl.start(exec('no-such-program')));
    assert.deepEqual([missing.code, /no-such-program/.test(missing.err)], [127, true]);
  });
});
