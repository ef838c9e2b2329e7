// SPDX-License-Identifier: Apache-2.0
import { X509Certificate } from 'node:crypto';
import type { Client } from '@forge/kube/client/client.ts';
import {
  ConfigMap,
  MutatingWebhookConfiguration,
  Secret,
  ValidatingWebhookConfiguration,
} from '@forge/kube/kinds/builtin.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { webhookCertificate } from '@forge/runtime/webhook/webhook-certificate.ts';
import { webhookConfigurations } from '@forge/runtime/webhook/webhook-configurations.ts';
import { webhook } from '@forge/runtime/webhook/webhook.ts';
import type { ClusterState } from '../scenario/cluster-state.ts';
import { electedProcesses, operatorProcess } from '../scenario/operator-process.ts';
import type { Process, Scenario } from '../scenario/scenario.ts';

const namespace = 'default';
/** Its CA is due for renewal, while certificates signed by it are still served. */
const old = { namespace, name: 'old' };
/** Its certificates do not exist yet. */
const fresh = { namespace, name: 'fresh' };
const secretOf = ({ name }: typeof old) => ({ namespace, name: `${name}-webhook-cert` });

const controllers = () => [old, fresh].map((place) => webhookCertificate(place).controller);

/** Webhook certificates: some must be renewed, some created, and users interfere with both. */
function certificatesScenario(processes: readonly Process[]): Scenario {
  return {
    async setUp(user) {
      await install(user, old);
      for (const daysAgo of [487, 30]) await renew(user, daysAgo);
    },
    newRun: () => ({
      processes,
      steps: [
        (user) => install(user, fresh),
        async (user) => {
          const found = await user.get(ValidatingWebhookConfiguration, { name: 'old-validating' });
          const webhooks = (found.webhooks ?? []).map((each) => ({
            ...each,
            clientConfig: { ...each.clientConfig, caBundle: '' },
          }));
          await user.update(ValidatingWebhookConfiguration, { ...found, webhooks });
        },
        async (user) => {
          await user.delete(MutatingWebhookConfiguration, { name: 'old-mutating' });
          await install(user, old, [MutatingWebhookConfiguration]);
        },
      ],
      rules: { 'every published CA bundle accepts the served certificate': acceptance() },
    }),
  };
}

/** One process. */
export const alone = certificatesScenario([operatorProcess('certificates', controllers)]);

/** Two replicas with leader election. */
export const elected = certificatesScenario(electedProcesses('certificates', controllers));

const kinds = [ValidatingWebhookConfiguration, MutatingWebhookConfiguration];

type Configuration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration;

async function install(user: Client, place: typeof old, only = kinds): Promise<void> {
  const rules = webhook(ConfigMap, { default: (object) => object, validate: () => ({}) });
  const configurations = webhookConfigurations([rules], place);
  for (const kind of only) {
    for (const each of configurations) if (each.kind === kind.kind) await user.create<Configuration>(kind, each);
  }
}

/** Runs the certificate controller this many days ago. */
async function renew(client: Client, daysAgo: number): Promise<void> {
  const clock = virtualClock(Date.UTC(2026, 0, 1 - daysAgo));
  const running = manager({ client, clock, random: seededRandom(), log: logger({ clock, write: () => undefined }) });
  running.add(webhookCertificate(old).controller);
  await running.start();
  await clock.settle();
  await running.stop();
}

/** Whether all published CA bundles accept the served certificates. */
function acceptance(): (cluster: ClusterState) => boolean {
  let checked = '';
  return (cluster) => {
    const served = decoded(cluster.find(Secret, secretOf(old))?.data?.['tls.crt']);
    const bundles = kinds
      .flatMap((kind) => cluster.list<Configuration>(kind))
      .filter(({ metadata }) => metadata.name.startsWith('old-'))
      .flatMap(({ webhooks = [] }) => webhooks.map(({ clientConfig }) => decoded(clientConfig.caBundle)))
      .filter((bundle) => bundle !== '');
    // Most changes are unrelated.
    if (checked === [served, ...bundles].join('')) return true;
    checked = [served, ...bundles].join('');
    return bundles.every((bundle) => accepts(bundle, served));
  };
}

function accepts(bundle: string, served: string): boolean {
  const leaf = new X509Certificate(served);
  return (bundle.match(/-----BEGIN[^]*?-----END CERTIFICATE-----/g) ?? [])
    .map((each) => new X509Certificate(each))
    .some((authority) => leaf.checkIssued(authority) && leaf.verify(authority.publicKey));
}

function decoded(text = ''): string {
  return Buffer.from(text, 'base64').toString();
}
