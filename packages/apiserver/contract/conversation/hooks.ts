// SPDX-License-Identifier: Apache-2.0
import type { Answer } from '../webhooks/answers.ts';
import type { Wire, WireRequest } from '../wires/wire.ts';
import type { Exchange } from './exchange.ts';

/** The two kinds of configurations, as their resources begin. */
type Kind = 'mutating' | 'validating';

/** The webhooks of a row. */
export interface Hooks {
  /** How the API server reaches the webhook that answers so. */
  at(answer: Answer): Promise<{ url: string; caBundle: string }>;
  /** The port of all of them. */
  port(): Promise<number>;
  /** What they were asked since the last time; recorded. */
  received(): Promise<void>;
  /** A bundle of the one certificate that webhooks show under their address. */
  servingBundle(): Promise<string>;
  /** A bundle of the one certificate, no authority, that webhooks show as a server whose name begins with `self-signed`. */
  selfSignedBundle(serverName: string): Promise<string>;
  /** Makes a configuration of these webhooks, to which only the row's namespace is subject, and waits until it is known. */
  create(kind: Kind, name: string, ...hooks: readonly Hook[]): Promise<void>;
  /** Waits until the server knows of all changes of configurations so far. */
  settle(kind: Kind): Promise<void>;
}

/** A webhook of a configuration, with as little as it needs: what it answers, and what is special about it. */
interface Hook {
  answer: Answer;
  [field: string]: unknown;
}

type Ask = (
  method: WireRequest['method'],
  path: string,
  body?: unknown,
  query?: Record<string, string>,
) => Promise<Exchange>;

/** Where webhook configurations are. */
export function configurations(kind: Kind): string {
  return `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`;
}

/** The webhooks of the row that has this namespace. */
export function hooks(wire: Wire, namespace: string, ask: Ask, exchanges: Exchange[]): Hooks {
  let probes = 0;

  async function at(answer: Answer): Promise<{ url: string; caBundle: string }> {
    const { port, caBundle } = await wire.webhooks();
    return { url: `https://127.0.0.1:${port}/${namespace}/${answer}`, caBundle };
  }

  async function configuration(kind: Kind, name: string, list: readonly Hook[]) {
    return {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: kind === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
      metadata: { name: `${namespace}-${name}` },
      webhooks: await Promise.all(
        list.map(async ({ answer, ...rest }) => ({
          name: `${answer}.${name}.example.com`,
          clientConfig: await at(answer),
          rules: [configMaps('CREATE')],
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          ...rest,
        })),
      ),
    };
  }

  /** Changes are learnt in order: when a webhook made last is asked, all before it are known. */
  async function settle(kind: Kind): Promise<void> {
    probes += 1;
    const name = `probe-${probes}`;
    const rules = [
      { operations: ['CREATE'], apiGroups: ['coordination.k8s.io'], apiVersions: ['v1'], resources: ['leases'] },
    ];
    const probe = await configuration(kind, name, [{ answer: 'deny', rules }]);
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name } };
    await ask('POST', configurations(kind), probe);
    await wire.until(async () => {
      const { body } = await ask('POST', 'coordination.k8s.io/v1/leases', lease, { dryRun: 'All' });
      return JSON.stringify(body).includes(`deny.${name}`);
    });
    await ask('DELETE', `${configurations(kind)}/${probe.metadata.name}`);
    (await wire.webhooks()).taken(namespace);
  }

  return {
    at,
    port: async () => (await wire.webhooks()).port,
    settle,
    servingBundle: async () => (await wire.webhooks()).servingBundle,
    selfSignedBundle: async (serverName) => (await wire.webhooks()).selfSignedBundle(serverName),

    async received() {
      const taken = (await wire.webhooks()).taken(namespace);
      exchanges.push(
        ...taken.map(({ path, review }) => ({
          request: `webhook ${path}`,
          status: 200,
          ...(review !== undefined && { body: review }),
        })),
      );
    },

    async create(kind, name, ...list) {
      exchanges.push(await ask('POST', configurations(kind), await configuration(kind, name, list)));
      await settle(kind);
    },
  };
}

/** What makes a webhook one for objects with this label. */
export function selecting(label: string) {
  return { objectSelector: { matchLabels: { row: label } } };
}

/** What gives an object the label by which a webhook selects it. */
export function selected(label: string) {
  return { labels: { row: label } };
}

/** A rule for what is done with config maps. */
export function configMaps(...operations: readonly string[]) {
  return { operations, apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
}
