// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@forge/kube/builtin.ts';
import { client, type Client } from '@forge/kube/client.ts';
import type { Connection } from '@forge/kube/connection.ts';
import { httpsTransport } from '@forge/kube/https-transport.ts';
import { kubeconfig } from '@forge/kube/kubeconfig.ts';
import { systemClock } from '@forge/runtime/clock.ts';
import type { Host } from '@forge/runtime/process/host.ts';
import { runOperator } from '@forge/runtime/process/run-operator.ts';
import { systemRandom } from '@forge/runtime/random.ts';
import { webhookConfigurations } from '@forge/runtime/webhook/webhook-configurations.ts';
import { Website, websitesOperator } from '../websites.ts';
import { installKinds, refusal, tellStory, type Chapter, type Until } from './story.ts';

/** What was told of the story, and what the operator said to those outside. */
export interface Told {
  chapters: Chapter[];
  farewells: string[];
  exitCode: number;
}

/** Kubernetes looks for new kinds to collect every half minute. */
const patience = 90_000;

const until: Until = async (condition) => {
  const deadline = Date.now() + patience;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not so after ${patience / 1000} s: ${String(condition)}`);
    await setTimeout(20);
  }
};

/** Runs the operator as a process would run it, webhooks and all, on a cluster that knows nothing of it. */
export async function runStory(connection: Connection): Promise<Told> {
  const farewells: string[] = [];
  const operator = websitesOperator({ farewell: async (website) => void farewells.push(website) });
  const webhookPort = await freePort();
  const ending = new AbortController();
  let log = '';
  const host: Host = {
    args: [
      '--metrics-bind-address=0',
      '--health-probe-bind-address=0',
      '--pod-namespace=default',
      `--webhook-bind-address=127.0.0.1:${webhookPort}`,
    ],
    environment: { KUBECONFIG: 'given' },
    hostname: 'here',
    clock: systemClock,
    random: systemRandom,
    readFile: async () => kubeconfig({ ...connection, name: 'story' }),
    print: (line) => void (log += line),
    output: { write: (line) => void (log += line), isTerminal: false },
    connect: httpsTransport,
    usage: () => ({ cpuSeconds: 0, residentBytes: 0, startSeconds: 0 }),
    ending: ending.signal,
  };
  const transport = httpsTransport(connection);
  try {
    const api = client(transport);
    await installKinds(api, until);
    const ended = runOperator(operator, host);
    await configureWebhooks(api, operator, `https://127.0.0.1:${webhookPort}`);
    const chapters = await tellStory(api, until).catch((error: unknown) => {
      throw new Error(`The operator logged:\n${log}`, { cause: error });
    });
    ending.abort();
    return { chapters, farewells, exitCode: await ended };
  } finally {
    ending.abort();
    await transport.close();
  }
}

/** Tells the API server of the webhooks, and waits until it asks them. */
async function configureWebhooks(
  api: Client,
  operator: ReturnType<typeof websitesOperator>,
  url: string,
): Promise<void> {
  const place = { name: operator.name, namespace: 'default', url };
  for (const configuration of webhookConfigurations(operator.webhooks, place)) {
    if (configuration.kind === 'MutatingWebhookConfiguration')
      await api.create(MutatingWebhookConfiguration, configuration);
    else await api.create(ValidatingWebhookConfiguration, configuration);
  }
  const rude: Website = {
    apiVersion: Website.apiVersion,
    kind: Website.kind,
    metadata: { namespace: 'default', name: 'rude' },
    spec: { text: '', theme: 'none' },
  };
  const answer = () => refusal(() => api.create(Website, rude, { dryRun: true }));
  await until(async () => (await answer())?.includes('denied the request') === true);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
