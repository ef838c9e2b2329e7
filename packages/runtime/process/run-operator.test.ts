// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { delimiter } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { apiServer, type ApiServer } from '@forge/apiserver/api-server.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import type { ApiRequest } from '@forge/kube/client/transport.ts';
import { ConfigMap, Lease } from '@forge/kube/kinds/builtin.ts';
import { refusal } from '@forge/testing/refusal.ts';
import type { Controller } from '../controller/controller.ts';
import { minutes, seconds } from '../environment/duration.ts';
import { seededRandom } from '../environment/seeded-random.ts';
import { virtualClock, type VirtualClock } from '../environment/virtual-clock.ts';
import { Site } from '../test/site.ts';
import { webhook } from '../webhook/webhook.ts';
import { textFlag } from './flag.ts';
import type { ProcessHost } from './process-host.ts';
import { runOperator, type Operator } from './run-operator.ts';

const operator: Operator<{ color: ReturnType<typeof textFlag> }> = {
  name: 'paint-operator',
  description: 'Paints what is there.',
  version: '1.2.3',
  lease: 'paint.example',
  flags: { color: textFlag('what to paint with', 'name') },
  kinds: [],
  requires: [ConfigMap],
  controllers: ({ color }) => [
    {
      name: 'painter',
      for: ConfigMap,
      async reconcile(ref, { cache, client: api }) {
        if (cache.get(ConfigMap, ref)?.data?.['color'] === color) return undefined;
        await api.patch(ConfigMap, ref, 'merge', { data: { color } });
        return undefined;
      },
    },
  ],
};

const kubeconfig = `
current-context: c
contexts: [{ name: c, context: { cluster: c } }]
clusters: [{ name: c, cluster: { server: 'https://127.0.0.1:1' } }]
`;

const ask = (port: unknown, path: string) => fetch(`http://127.0.0.1:${String(port)}${path}`);

function refuseGone({ path }: ApiRequest): void {
  if (path.includes('/namespaces/gone/')) throw refusal(403, 'Forbidden', 'not here');
}

describe('an operator process', () => {
  let clock: VirtualClock;
  let server: ApiServer;
  let end: AbortController;
  let output: string;

  beforeEach(async () => {
    clock = virtualClock();
    server = await apiServer({ clock, random: seededRandom() });
    end = new AbortController();
    output = '';
  });

  afterEach(async () => {
    await server.close();
  });

  const api = () => client(inProcessTransport(server));

  function host(args: readonly string[], more: Partial<ProcessHost> = {}): ProcessHost {
    return {
      args: ['--metrics-bind-address=127.0.0.1:0', '--health-probe-bind-address=127.0.0.1:0', ...args],
      environment: { KUBECONFIG: '/config' },
      hostname: 'here',
      clock,
      random: seededRandom(),
      readFile: async (path) => (path === '/config' ? kubeconfig : Promise.reject(new Error(`no ${path}`))),
      print: (line) => void (output += `${line}\n`),
      output: { write: (line) => void (output += line), isTerminal: false },
      connect: () => ({ ...inProcessTransport(server), close: async () => {} }),
      usage: () => ({ cpuSeconds: 1.5, residentBytes: 42, startSeconds: 7 }),
      shutdown: end.signal,
      ...more,
    };
  }

  const logged = () =>
    output
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  /** Runs until the log has this line. */
  async function startUntil(
    line: RegExp,
    args: readonly string[],
    more: Partial<ProcessHost> = {},
  ): Promise<{ ended: Promise<number> }> {
    const ended = runOperator(operator, host(args, more));
    await clock.until(() => line.test(output));
    return { ended };
  }

  /** What a process that finds no cluster prints to such an output. */
  async function complaint(isTerminal: boolean, environment: ProcessHost['environment'] = {}): Promise<string> {
    output = '';
    const write = (line: string) => void (output += line);
    await runOperator(operator, host([], { environment, output: { write, isTerminal } }));
    return output;
  }

  test('writes under its own name as field manager', async () => {
    const metadata = { namespace: 'default', name: 'wall' };
    const data = { size: 'large' };
    await api().create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, { fieldManager: 'mason' });
    const { ended } = await startUntil(/starting paint-operator/, ['--color=red']);
    await clock.until(async () => (await api().get(ConfigMap, metadata)).data?.['color'] === 'red');
    const { managedFields = [] } = (await api().get(ConfigMap, metadata)).metadata;
    end.abort();
    await ended;
    assert.deepEqual(
      managedFields.map(({ manager }) => manager),
      ['mason', 'paint-operator'],
    );
  });

  test('works, serves probes and metrics, and shuts down on request', async () => {
    const metadata = { namespace: 'default', name: 'wall' };
    await api().create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    const { ended } = await startUntil(/starting paint-operator/, ['--color=red']);
    await clock.until(async () => (await api().get(ConfigMap, metadata)).data?.['color'] === 'red');
    const [{ healthPort, metricsPort } = {}] = logged();
    assert.equal((await ask(healthPort, '/healthz')).status, 200);
    assert.equal((await ask(healthPort, '/readyz')).status, 200);
    assert.equal((await ask(healthPort, '/metrics')).status, 404);
    const page = await ask(metricsPort, '/metrics');
    assert.match(page.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    const metrics = await page.text();
    assert.match(metrics, /controller_runtime_reconcile_total\{controller="painter",result="success"\} [1-9]/);
    assert.match(metrics, /rest_client_requests_total\{code="200",host="[^"]+",method="PATCH"\} 1\n/);
    for (const line of [
      'process_cpu_seconds_total 1.5',
      'process_resident_memory_bytes 42',
      'process_start_time_seconds 7',
    ])
      assert.match(metrics, new RegExp(`^${line}$`, 'm'));
    const again = await (await ask(metricsPort, '/metrics')).text();
    assert.match(again, /^process_cpu_seconds_total 1.5$/m);
    end.abort();
    assert.equal(await ended, 0);
    await assert.rejects(ask(healthPort, '/healthz'));
  });

  test('is not ready before its caches are synced', async () => {
    const { promise: held, resolve: answer } = Promise.withResolvers<void>();
    const transport = inProcessTransport(server);
    let lists = 0;
    const { ended } = await startUntil(/starting paint-operator/, ['--color=red'], {
      connect: () => ({
        ...transport,
        async request(request) {
          // The first list asks whether the kind is known.
          if (request.method === 'GET' && (lists += 1) > 1) await held;
          return transport.request(request);
        },
        close: async () => {},
      }),
    });
    const [{ healthPort } = {}] = logged();
    const readiness = async () => (await ask(healthPort, '/readyz')).status;
    await clock.until(() => lists > 1);
    assert.equal(await readiness(), 503);
    answer();
    await clock.settle();
    assert.equal(await readiness(), 200);
    end.abort();
    await ended;
  });

  test('is not ready during shutdown, while running reconciliations finish', async () => {
    const metadata = { namespace: 'default', name: 'wall' };
    await api().create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    const { promise: held, resolve: answer } = Promise.withResolvers<void>();
    const transport = inProcessTransport(server);
    let writes = 0;
    const { ended } = await startUntil(/starting paint-operator/, ['--color=red'], {
      connect: () => ({
        ...transport,
        async request(request) {
          if (request.method === 'PATCH' && (writes += 1) > 0) await held;
          return transport.request(request);
        },
        close: async () => {},
      }),
    });
    const [{ healthPort } = {}] = logged();
    await clock.until(() => writes > 0);
    end.abort();
    assert.equal((await ask(healthPort, '/readyz')).status, 503);
    assert.equal((await ask(healthPort, '/healthz')).status, 200);
    answer();
    assert.equal(await ended, 0);
    assert.equal((await api().get(ConfigMap, metadata)).data?.['color'], 'red');
  });

  test('is not healthy when its watches are stale', async () => {
    const { ended } = await startUntil(/starting paint-operator/, ['--color=red'], {
      connect: () => ({
        ...inProcessTransport(server),
        stream: () => Promise.reject(new Error('connection refused')),
        close: async () => {},
      }),
    });
    const [{ healthPort } = {}] = logged();
    await clock.advance(minutes(4));
    assert.equal((await ask(healthPort, '/healthz')).status, 200);
    await clock.advance(minutes(2));
    assert.equal((await ask(healthPort, '/healthz')).status, 503);
    end.abort();
    assert.equal(await ended, 0);
  });

  test('works in one namespace and with the resync period that its flags set', async () => {
    const passes: string[] = [];
    const painter: Controller = {
      name: 'painter',
      for: ConfigMap,
      async reconcile({ namespace = '', name }) {
        passes.push(`${namespace}/${name}`);
        return undefined;
      },
    };
    for (const namespace of ['default', 'kube-public']) {
      const metadata = { namespace, name: 'wall' };
      await api().create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    }
    const environment = { KUBECONFIG: '/config', WATCH_NAMESPACE: 'kube-public', SYNC_PERIOD: '1m' };
    const ended = runOperator({ ...operator, controllers: () => [painter] }, host([], { environment }));
    await clock.until(() => passes.length > 0);
    await clock.advance(minutes(2));
    assert.deepEqual(passes, ['kube-public/wall', 'kube-public/wall', 'kube-public/wall']);
    end.abort();
    assert.equal(await ended, 0);
  });

  test('works in a list of namespaces, without those that it may not read', async () => {
    const passes = new Set<string>();
    const painter: Controller = {
      name: 'painter',
      for: ConfigMap,
      async reconcile({ namespace = '', name }) {
        passes.add(`${namespace}/${name}`);
        return undefined;
      },
    };
    for (const namespace of ['default', 'kube-public', 'kube-system']) {
      const metadata = { namespace, name: 'wall' };
      await api().create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    }
    const environment = { KUBECONFIG: '/config', WATCH_NAMESPACE: 'default, kube-system,gone' };
    const transport = inProcessTransport(server);
    const connect: ProcessHost['connect'] = () => ({
      async request(request) {
        refuseGone(request);
        return await transport.request(request);
      },
      async stream(request) {
        refuseGone(request);
        return await transport.stream(request);
      },
      close: async () => {},
    });
    const ended = runOperator({ ...operator, controllers: () => [painter] }, host([], { environment, connect }));
    await clock.until(() => passes.size > 1);
    await clock.advance(minutes(10));
    assert.deepEqual(passes, new Set(['default/wall', 'kube-system/wall']));
    const [refused, started] = logged();
    assert.match(String(refused?.['message']), /cannot read a namespace; apply the Role for watched namespaces there/);
    assert.equal((await ask(started?.['healthPort'], '/healthz')).status, 200);
    assert.equal((await ask(started?.['healthPort'], '/readyz')).status, 200);
    end.abort();
    assert.equal(await ended, 0);
  });

  test('works in the namespace of --namespace only, whatever --namespaces lists', async () => {
    const flags = ['--namespaces=kube-system,kube-public', '--namespace=default'];
    const ended = runOperator(operator, host(flags));
    await clock.until(() => output.includes('starting paint-operator'));
    assert.deepEqual(logged()[0]?.['namespaces'], ['default']);
    end.abort();
    assert.equal(await ended, 0);
  });

  test('learns its own namespace from flag, variable or service account, in this order', async () => {
    const account = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';
    const readFile: ProcessHost['readFile'] = async (path) => (path === account ? 'of-account\n' : kubeconfig);
    const inVariable = { KUBECONFIG: '/config', POD_NAMESPACE: 'of-variable' };
    for (const [namespace, args, more] of [
      ['of-flag', ['--pod-namespace=of-flag'], { readFile, environment: inVariable }],
      ['of-variable', [], { readFile, environment: inVariable }],
      ['of-account', [], { readFile }],
      [undefined, [], {}],
    ] as const) {
      output = '';
      end = new AbortController();
      const { ended } = await startUntil(/starting paint-operator/, args, more);
      assert.equal(logged()[0]?.['own'], namespace);
      end.abort();
      assert.equal(await ended, 0);
    }
  });

  test('logs for machines, on a terminal for people, and without colors where they are not wanted', async () => {
    assert.match(
      await complaint(false),
      /^\{"time":"2026-01-01T00:00:00.000Z","level":"error","message":"paint-operator /,
    );
    assert.ok(
      (await complaint(true)).startsWith('00:00:00 \u001B[31mERROR\u001B[0m paint-operator cannot continue; exiting'),
    );
    assert.ok(
      (await complaint(true, { NO_COLOR: '1' })).startsWith('00:00:00 ERROR paint-operator cannot continue; exiting'),
    );
  });

  test('waits for leadership, and exits with its own code when it loses it', async () => {
    const args = ['--color=red', '--leader-elect', '--pod-namespace=default'];
    const lease = { namespace: 'default', name: 'paint.example' };
    const { ended } = await startUntil(/starting paint-operator/, args);
    await clock.until(async () => (await api().find(Lease, lease)) !== undefined);
    const held = await api().get(Lease, lease);
    assert.match(held.spec?.holderIdentity ?? '', /^here_/);
    const renewTime = '2026-01-01T01:00:00.000000Z';
    await api().update(Lease, { ...held, spec: { ...held.spec, holderIdentity: 'other', renewTime } });
    await clock.advance(seconds(30));
    assert.equal(await ended, 3);
    assert.match(output, /no longer leading: another process holds it/);
    assert.match(output, /leadership lost; shutting down/);
  });

  test('reports no other leader when it could not renew its Lease', async () => {
    const transport = inProcessTransport(server);
    const { ended } = await startUntil(/"leading"/, ['--color=red', '--leader-elect', '--pod-namespace=default'], {
      connect: () => ({
        ...transport,
        async request(request) {
          if (request.method === 'PUT') throw new Error('connection refused');
          return transport.request(request);
        },
        close: async () => {},
      }),
    });
    await clock.advance(seconds(30));
    assert.equal(await ended, 3);
    assert.match(output, /no longer leading: not renewed for 10 s/);
    assert.match(output, /leadership lost; shutting down/);
    assert.doesNotMatch(output, /another process/);
  });

  test('reports why it cannot start', async () => {
    const needsLease = runOperator(operator, host(['--leader-elect']));
    assert.equal(await needsLease, 1);
    assert.match(output, /--leader-elect: Leases need a namespace: set --pod-namespace/);
    output = '';
    assert.equal(await runOperator({ ...operator, kinds: [Site] }, host([])), 1);
    assert.match(
      output,
      /sites\.test\.forge\.c5c3\.io is not installed: apply the CustomResourceDefinition of paint-operator/,
    );
    output = '';
    assert.equal(await runOperator({ ...operator, requires: [Site] }, host([])), 1);
    assert.match(
      output,
      /sites\.test\.forge\.c5c3\.io is not installed: paint-operator requires it; install the operator/,
    );
    output = '';
    assert.equal(await runOperator(operator, host([], { environment: {} })), 1);
    assert.match(output, /No cluster: not running in a pod, and neither --kubeconfig nor \$KUBECONFIG is set/);
  });

  test('reads all kubeconfigs in $KUBECONFIG, and the one file of --kubeconfig, whatever its name', async () => {
    const read: string[] = [];
    const readFile = async (path: string) => {
      read.push(path);
      throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
    };
    const environment = { KUBECONFIG: `/a${delimiter}${delimiter}/b` };
    assert.equal(await runOperator(operator, host([], { readFile, environment })), 1);
    assert.match(output, /none of the kubeconfigs \/a, \/b exists/);
    assert.equal(await runOperator(operator, host([`--kubeconfig=/c${delimiter}d`], { readFile, environment })), 1);
    assert.deepEqual(read, ['/a', '/b', `/c${delimiter}d`]);
  });

  test('stops checking certificates when it has ended, however it ended', async () => {
    let looks = 0;
    const readFile = async (path: string) => {
      looks += 1;
      return path === '/config' ? kubeconfig : 'no certificate';
    };
    const serving = { ...operator, webhooks: [webhook(ConfigMap, {})] };
    assert.equal(await runOperator(serving, host(['--webhook-cert-dir=/certs'], { readFile })), 1);
    const before = looks;
    await clock.advance(minutes(1));
    assert.equal(looks, before);
  });

  test('rejects invalid flags, and explains those it has', async () => {
    assert.equal(await runOperator(operator, host(['--sync-period=often'])), 2);
    assert.match(output, /^--sync-period is "often", but must be a duration/);
    output = '';
    assert.equal(await runOperator(operator, host(['--help'])), 0);
    const help = output;
    assert.match(
      help,
      /^Usage: paint-operator \[flags\]\n\nPaints what is there\.[^]*--help [^]*--version [^]*--color <name>[^]*Exit codes:\n    0 /,
    );
    output = '';
    assert.equal(await runOperator(operator, host(['-h'])), 0);
    assert.equal(output, help);
    output = '';
    assert.equal(await runOperator(operator, host(['--version'])), 0);
    assert.equal(output, '1.2.3\n');
  });

  test('shuts down while the API server does not answer', async () => {
    const { ended } = await startUntil(/starting paint-operator/, ['--color=red'], {
      connect: () => ({
        ...inProcessTransport(server),
        request: () => new Promise(() => undefined),
        close: async () => {},
      }),
    });
    end.abort();
    assert.equal(await ended, 0);
  });

  test('shuts down after running reconciliations, also before it was ready', async () => {
    end.abort();
    const ended = runOperator(operator, host(['--color=red']));
    await clock.advance(minutes(1));
    assert.equal(await ended, 0);
  });
});
