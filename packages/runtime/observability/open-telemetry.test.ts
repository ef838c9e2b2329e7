// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { ready } from '../steps/outcome.ts';
import { stepFor } from '../steps/step.ts';
import { siteOperator, type SiteOperator } from '../test/site-operator.ts';
import type { Services, Site } from '../test/site.ts';
import { openTelemetry } from './open-telemetry.ts';

const step = stepFor<Site, Services>();

describe('tracing', () => {
  let spans: InMemorySpanExporter;
  let operator: SiteOperator;

  beforeEach(async () => {
    spans = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    operator = await siteOperator();
    operator.options = { tracing: openTelemetry('test', '1') };
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
    trace.disable();
    context.disable();
  });

  test('records every pass, and within it every step with its outcome', async () => {
    const fine = step({ name: 'Fine', condition: 'FineReady', run: async () => ready('AllFine', 'it is') });
    const broken = step({ name: 'Broken', run: () => Promise.reject(new Error('no network')) });
    await operator.start(fine, broken);
    const [first, second, pass] = spans.getFinishedSpans();
    assert.deepEqual([first?.name, first?.attributes], ['Fine', { outcome: 'ready', reason: 'AllFine' }]);
    assert.deepEqual([second?.name, second?.status.message], ['Broken', 'no network']);
    assert.deepEqual(pass?.attributes, {
      controller: 'site-controller',
      kind: 'Site',
      namespace: 'default',
      name: 'home',
    });
    assert.equal(pass.name, 'reconcile');
    assert.deepEqual(
      [first, second].map((each) => each?.parentSpanContext?.spanId),
      [pass.spanContext().spanId, pass.spanContext().spanId],
    );
  });
});
