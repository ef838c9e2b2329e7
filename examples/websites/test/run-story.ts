// SPDX-License-Identifier: Apache-2.0
import { setTimeout } from 'node:timers/promises';
import { client, type Client } from '@forge/kube/client/client.ts';
import type { Connection } from '@forge/kube/client/connection.ts';
import { httpsTransport, type HttpsTransport } from '@forge/kube/client/https-transport.ts';
import { kubeconfig } from '@forge/kube/client/kubeconfig.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { MutatingWebhookConfiguration, Secret, ValidatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import type { ProcessHost } from '@forge/runtime/process/process-host.ts';
import { runOperator } from '@forge/runtime/process/run-operator.ts';
import { webhookConfigurations } from '@forge/runtime/webhook/webhook-configurations.ts';
import { Website, websitesOperator } from '../websites.ts';
import { home, leastPrivileged, trespass, untilAllowed } from './least-privileged.ts';
import { installKinds, refusal, tellStory, type Chapter, type Until } from './story.ts';

/** The recorded scenario, and the operator's calls to systems outside the cluster. */
export interface StoryResult {
  chapters: Chapter[];
  farewells: string[];
  /** Requests that the operator's roles do not allow. */
  forbidden: string[];
  /** The server's answers when it accesses what its roles do not allow. */
  trespass: (string | undefined)[];
  exitCode: number;
}

/** The garbage collector of Kubernetes discovers new kinds every 30 seconds. */
const patience = 90_000;

const until: Until = async (condition) => {
  const deadline = Date.now() + patience;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not met after ${patience / 1000} s: ${String(condition)}`);
    await setTimeout(20);
  }
};

/**
 * Runs the operator as its process does, with leader election and webhooks, on a cluster where only its kinds are
 * missing. It is allowed only what the roles of its manifests grant.
 */
export async function runStory(connection: Connection): Promise<StoryResult> {
  await using stack = new AsyncDisposableStack();
  const connect = (to: Connection) => {
    const transport = httpsTransport(to);
    stack.defer(() => transport.close());
    return transport;
  };
  const farewells: string[] = [];
  const forbidden: string[] = [];
  const operator = websitesOperator({ farewell: async (website) => void farewells.push(website) });
  const ending = new AbortController();
  stack.defer(() => ending.abort());

  const admin = connect(connection);
  const api = client(admin);
  await installKinds(api, until);
  const { server, ca } = connection;
  const own = { server, ...(ca !== undefined && { ca }), token: await leastPrivileged(admin, operator) };
  const ownApi = client(connect(own));
  await untilAllowed(ownApi, until);

  let log = '';
  const write = (line: string) => void (log += line);
  const host = hostOf(own, { write, ending: ending.signal, forbidden });
  const ended = runOperator(operator, host);
  const explained = (error: unknown) => {
    throw new Error(`The operator logged:\n${log}`, { cause: error });
  };
  const webhookPort = () => /"webhookPort":(\d+)/.exec(log)?.[1];
  await until(async () => webhookPort() !== undefined).catch(explained);
  await configureWebhooks(api, operator, `https://127.0.0.1:${webhookPort()}`).catch(explained);
  const chapters = await tellStory(api, until).catch(explained);
  await spoilCertificate(api, `${operator.name}-webhook-cert`).catch(explained);
  ending.abort();
  return { chapters, farewells, exitCode: await ended, forbidden, trespass: await trespass(ownApi) };
}

/** The environment of the operator's process. */
function hostOf(
  connection: Connection,
  { write, ending, forbidden }: { write: (line: string) => void; ending: AbortSignal; forbidden: string[] },
): ProcessHost {
  return {
    args: [
      '--metrics-bind-address=0',
      '--health-probe-bind-address=0',
      '--leader-elect',
      `--pod-namespace=${home}`,
      '--webhook-bind-address=127.0.0.1:0',
    ],
    environment: { KUBECONFIG: 'given' },
    hostname: 'here',
    clock: systemClock,
    random: systemRandom,
    readFile: async () => kubeconfig({ ...connection, name: 'story' }),
    print: write,
    output: { write, isTerminal: false },
    connect: (to) => noting(httpsTransport(to), forbidden),
    usage: () => ({ cpuSeconds: 0, residentBytes: 0, startSeconds: 0 }),
    shutdown: ending,
  };
}

/** Records forbidden requests. */
function noting(transport: HttpsTransport, forbidden: string[]): HttpsTransport {
  return {
    ...transport,
    async request(request) {
      const response = await transport.request(request);
      if (response.status === 403) forbidden.push(`${request.method} ${request.path}`);
      return response;
    },
    async stream(request) {
      try {
        return await transport.stream(request);
      } catch (error) {
        if (isApiError(error, 'Forbidden')) forbidden.push(`watch ${request.path}`);
        throw error;
      }
    },
  };
}

/** Registers the webhooks and waits until the API server calls them. */
async function configureWebhooks(
  api: Client,
  operator: ReturnType<typeof websitesOperator>,
  url: string,
): Promise<void> {
  const place = { name: operator.name, namespace: home, url };
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

/** Waits until the operator has replaced an unreadable certificate. */
async function spoilCertificate(api: Client, name: string): Promise<void> {
  const ref = { namespace: home, name };
  const spoiled = { 'tls.crt': Buffer.from('spoiled').toString('base64') };
  await api.patch(Secret, ref, 'merge', { data: spoiled });
  await until(async () => (await api.get(Secret, ref)).data?.['tls.crt'] !== spoiled['tls.crt']);
}
