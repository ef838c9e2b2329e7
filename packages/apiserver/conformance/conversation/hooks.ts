// SPDX-License-Identifier: Apache-2.0
import type { Answer } from '../servers/answers.ts';
import type { Wire, WireRequest } from '../wires/wire.ts';
import type { Exchange } from './exchange.ts';

/** Prefixes of the two configuration resources. */
type Kind = 'mutating' | 'validating';

/** The webhooks of a case. */
export interface Hooks {
  /** The clientConfig of the webhook with this answer. */
  at(answer: Answer): Promise<{ url: string; caBundle: string }>;
  /** The port of the webhook server. */
  port(): Promise<number>;
  /** The requests since the last call; recorded. */
  received(): Promise<void>;
  /** CA bundle with just the serving certificate for the webhooks' IP address. */
  servingBundle(): Promise<string>;
  /** CA bundle with just the self-signed, non-CA certificate for server names starting with `self-signed`. */
  selfSignedBundle(serverName: string): Promise<string>;
  /** Creates a configuration of these webhooks for the case's namespace, and waits until the server uses it. */
  create(kind: Kind, name: string, ...hooks: readonly Hook[]): Promise<void>;
  /** Waits until the server has seen all configuration changes. */
  settle(kind: Kind): Promise<void>;
}

/** A webhook of a configuration: its answer, and fields that differ from the defaults. */
interface Hook {
  answer: Answer;
  [field: string]: unknown;
}

/** Sends a request that is not recorded. */
export type Ask = (
  method: WireRequest['method'],
  path: string,
  body?: unknown,
  query?: Record<string, string>,
) => Promise<Exchange>;

/** Path of webhook configurations. */
export function configurations(kind: Kind): string {
  return `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`;
}

/** The webhooks of the case with this namespace. */
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

  /** Changes are seen in order: when the newest webhook is called, all earlier ones are active. */
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

/** Restricts a webhook to objects with this label. */
export function selecting(label: string) {
  return { objectSelector: { matchLabels: { row: label } } };
}

/** The metadata with the label that a webhook selects. */
export function selected(label: string) {
  return { labels: { row: label } };
}

/** A rule for operations on config maps. */
export function configMaps(...operations: readonly string[]) {
  return { operations, apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
}
