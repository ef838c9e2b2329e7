// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ready } from '../steps/outcome.ts';
import { home, siteOperator, type SiteOperator } from '../test/site-operator.ts';
import { step } from '../test/site-steps.ts';
import { Site } from '../test/site.ts';
import type { Gauge } from './metrics.ts';
import { prometheusMetrics, type PrometheusMetrics } from './prometheus-metrics.ts';

const size: Gauge<'name' | 'text'> = { type: 'gauge', name: 'site_size', help: 'Size.', labels: ['name', 'text'] };
const age: Gauge<'name'> = { type: 'gauge', name: 'site_age', help: 'Age.', labels: ['name'] };

describe('measurements of a resource', () => {
  let operator: SiteOperator;
  let metrics: PrometheusMetrics;

  beforeEach(async () => {
    operator = await siteOperator();
    metrics = prometheusMetrics();
    operator.options = { metrics };
    const measuring = step({
      name: 'Measuring',
      async run({ object: { metadata, spec }, metrics: own }) {
        const { name } = metadata;
        own.set(size, { name, text: spec.text ?? '' }, 7);
        own.sample(age, { name }, () => 3);
        return ready('Fine', '');
      },
    });
    await operator.start(measuring);
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  const series = async () => (await metrics.text()).split('\n').filter((line) => line.startsWith('site_'));
  const one = ['site_size{name="home",text="hello"} 7', 'site_age{name="home"} 3'];

  test('exist as long as the resource does', async () => {
    assert.deepEqual(await series(), one);
    await operator.cluster.client.delete(Site, home);
    await operator.cluster.clock.settle();
    assert.deepEqual(await series(), []);
  });

  test('of an earlier resource of the same name are removed', async () => {
    const release = operator.cluster.connection.holdWatches('/sites');
    await operator.cluster.client.delete(Site, home);
    const { apiVersion, kind } = Site;
    await operator.cluster.client.create(Site, { apiVersion, kind, metadata: home, spec: { text: 'new' } });
    release();
    await operator.cluster.clock.settle();
    assert.deepEqual(await series(), ['site_size{name="home",text="new"} 7', 'site_age{name="home"} 3']);
  });
});
