// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, test } from 'node:test';
import {
  ConfigMap,
  MutatingWebhookConfiguration,
  Secret,
  ValidatingWebhookConfiguration,
} from '@forge/kube/kinds/builtin.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import type { CertificateSource } from '../certificates/certificate-source.ts';
import { watch, type Controller } from '../controller/controller.ts';
import { manager, type Manager, type ManagerOptions } from '../controller/manager.ts';
import { milliseconds, minutes } from '../environment/duration.ts';
import { jsonLine } from '../observability/logger.ts';
import { webhookCertificate } from './webhook-certificate.ts';
import { webhookConfigurations } from './webhook-configurations.ts';
import { webhook } from './webhook.ts';

const place = { name: 'paint', namespace: 'default' };
const secretRef = { namespace: 'default', name: 'paint-webhook-cert' };
const validating = { name: 'paint-validating' };
const day = 86_400_000;

describe('the certificates of webhooks', () => {
  let cluster: TestCluster;
  const managers: Manager[] = [];

  beforeEach(async () => {
    cluster = await testCluster({ controllers: false });
  });

  afterEach(async () => {
    for (const running of managers.splice(0)) await running.stop();
    await cluster[Symbol.asyncDispose]();
  });

  async function start(options: Partial<ManagerOptions> = {}, ...others: Controller[]): Promise<CertificateSource> {
    const managed = webhookCertificate(place);
    const running = manager({ ...cluster, client: cluster.connection.client, ...options });
    for (const controller of [managed.controller, ...others]) running.add(controller);
    const source = managed.source(running.cache);
    managers.push(running);
    await running.start();
    await cluster.clock.settle();
    return source;
  }

  /** Restarts on that day; nothing watches meanwhile, so that days pass quickly. */
  async function sleepUntil(days: number): Promise<CertificateSource> {
    await managers.pop()?.stop();
    await cluster.clock.advance(milliseconds(Date.parse('2026-01-01') + days * day - cluster.clock.now()));
    return await start();
  }

  async function install(): Promise<void> {
    const rules = webhook(ConfigMap, { default: (object) => object, validate: () => ({}) });
    for (const configuration of webhookConfigurations([rules], place)) {
      if (configuration.kind === 'MutatingWebhookConfiguration')
        await cluster.client.create(MutatingWebhookConfiguration, configuration);
      else await cluster.client.create(ValidatingWebhookConfiguration, configuration);
    }
    await cluster.clock.settle();
  }

  async function trusted(): Promise<string> {
    const { webhooks = [] } = await cluster.client.get(ValidatingWebhookConfiguration, validating);
    return Buffer.from(webhooks[0]?.clientConfig.caBundle ?? '', 'base64').toString();
  }

  const holds = ({ validFromDate, validToDate }: X509Certificate) =>
    validFromDate.getTime() <= cluster.clock.now() && cluster.clock.now() < validToDate.getTime();

  /** Whether a caller who trusts this bundle accepts what is served, at the cluster's time. */
  function accepts(bundle: string, served: string): boolean {
    const leaf = new X509Certificate(served);
    const authorities = bundle.match(/-----BEGIN[^]*?-----END CERTIFICATE-----/g) ?? [];
    return (
      holds(leaf) &&
      leaf.checkHost('paint.default.svc') !== undefined &&
      authorities
        .map((each) => new X509Certificate(each))
        .some((authority) => holds(authority) && leaf.checkIssued(authority) && leaf.verify(authority.publicKey))
    );
  }

  test("are stored in the operator's namespace, whatever namespace and Secrets it watches", async () => {
    const painter: Controller = {
      name: 'painter',
      for: ConfigMap,
      watches: [watch(Secret, () => [], { labels: 'paint=red' })],
      reconcile: async () => undefined,
    };
    const ownedSecrets = { kind: Secret, ownedOnly: true, predicate: () => true };
    const elsewhere = { namespaces: ['kube-system'] };
    await install();
    const [first, second] = [
      await start(elsewhere, painter),
      await start(elsewhere, { ...painter, owns: [ownedSecrets] }),
    ];
    assert.ok(accepts(await trusted(), first.current()?.cert ?? ''));
    assert.equal(second.current()?.cert, first.current()?.cert);
    assert.deepEqual(
      cluster.logged.filter(({ level }) => level === 'error'),
      [],
    );
  });

  test('are published only once they are stored', async () => {
    await install();
    cluster.connection.intercept = ({ method, path }) => {
      if (method === 'POST' && path.endsWith('/secrets')) throw refusal(403, 'Forbidden', 'no more Secrets');
    };
    await start();
    await cluster.clock.advance(minutes(1));
    assert.equal(await trusted(), '');
    assert.ok(cluster.connection.requests.length < 100, `${cluster.connection.requests.length} requests`);
    cluster.connection.intercept = () => undefined;
    await cluster.clock.advance(minutes(2));
    assert.notEqual(await trusted(), '');
  });

  test('are in no log, although the server quotes them in its error', async () => {
    await install();
    const kept: string[] = [];
    cluster.connection.intercept = ({ method, path, body }) => {
      if (method !== 'POST' || !path.endsWith('/secrets')) return;
      kept.push(...Object.values((body as Secret).data ?? {}));
      throw refusal(422, 'Invalid', `data: Invalid value: ${JSON.stringify(body)}`);
    };
    await start();
    const lines = cluster.logged.map(jsonLine).join('\n');
    assert.match(lines, /Secret paint-webhook-cert: Invalid/);
    assert.ok(kept.length > 0 && kept.every((value) => !lines.includes(value)));
  });

  test('are issued once there is a configuration, and both configurations get the caBundle', async () => {
    const source = await start();
    assert.equal(source.current(), undefined);
    await install();
    assert.ok(accepts(await trusted(), source.current()?.cert ?? ''));
    const { webhooks = [] } = await cluster.client.get(MutatingWebhookConfiguration, { name: 'paint-mutating' });
    assert.equal(Buffer.from(webhooks[0]?.clientConfig.caBundle ?? '', 'base64').toString(), await trusted());
  });

  test('are renewed while running, signed by an authority that was published before', async () => {
    let source = await start();
    await install();
    source = await sleepUntil(59.5);
    const [first, firstBundle] = [source.current()?.cert ?? '', await trusted()];
    await cluster.clock.advance(milliseconds(day));
    const second = source.current()?.cert ?? '';
    assert.notEqual(second, first);
    assert.ok(accepts(firstBundle, second));
    for (const days of [120, 180, 240, 300, 360, 420, 480]) source = await sleepUntil(days);
    const [old, oldBundle] = [source.current()?.cert ?? '', await trusted()];
    source = await sleepUntil(486.7);
    const both = await trusted();
    assert.notEqual(both, oldBundle);
    assert.equal(source.current()?.cert, old);
    await cluster.clock.advance(minutes(90));
    assert.notEqual(source.current()?.cert, old);
    assert.ok(accepts(both, source.current()?.cert ?? '') && accepts(both, old));
  });

  test('are published by the next try when one fails, not issued again', async () => {
    const source = await start();
    let refusals = 3;
    cluster.connection.intercept = ({ method }) => {
      if (method === 'PATCH' && refusals-- > 0) throw refusal(500, 'InternalError', 'no');
    };
    await install();
    const made = source.current()?.cert ?? '';
    await cluster.clock.advance(minutes(1));
    assert.ok(accepts(await trusted(), made));
    assert.equal(source.current()?.cert, made);
  });

  test('stay in use as long as a new authority cannot be published', async () => {
    await start();
    await install();
    await sleepUntil(480);
    cluster.connection.intercept = ({ method }) => {
      if (method === 'PATCH') throw refusal(403, 'Forbidden', 'no');
    };
    const source = await sleepUntil(486.7);
    await cluster.clock.advance(minutes(90));
    assert.ok(accepts(await trusted(), source.current()?.cert ?? ''));
  });

  test('are published again when somebody applies the configuration without them', async () => {
    const source = await start();
    await install();
    const found = await cluster.client.get(ValidatingWebhookConfiguration, validating);
    const webhooks = (found.webhooks ?? []).map((each) => ({
      ...each,
      clientConfig: { ...each.clientConfig, caBundle: '' },
    }));
    await cluster.client.update(ValidatingWebhookConfiguration, { ...found, webhooks });
    await cluster.clock.settle();
    assert.ok(accepts(await trusted(), source.current()?.cert ?? ''));
  });

  test('are the same for two processes, and outlive both', async () => {
    const first = await start();
    await install();
    const second = await start();
    assert.deepEqual(second.current(), first.current());
    const [one, two] = managers;
    await one?.stop();
    await two?.stop();
    const third = await start();
    assert.deepEqual(third.current(), first.current());
  });

  test('are issued again when the stored ones are unreadable or expired', async () => {
    const source = await start();
    await install();
    await cluster.client.patch(Secret, secretRef, 'merge', { data: { 'ca.crt': 'bm8=', 'tls.crt': 'bm8=' } });
    await cluster.clock.settle();
    assert.ok(accepts(await trusted(), source.current()?.cert ?? ''));
    const [running] = managers;
    await running?.stop();
    await cluster.clock.advance(minutes(60 * 24 * 365 * 3));
    const late = await start();
    assert.ok(accepts(await trusted(), late.current()?.cert ?? ''));
  });
});
