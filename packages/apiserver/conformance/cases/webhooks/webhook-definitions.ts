// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { configMaps, configurations } from '../../conversation/hooks.ts';

type Kind = Parameters<typeof configurations>[0];

const clientConfig = { url: 'https://example.com/hook' };
/** A minimal webhook. */
const minimal = { name: 'a.example.com', clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] };

function configuration({ namespace }: Conversation, kind: Kind, ...webhooks: readonly object[]) {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: kind === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: { name: `${namespace}-a` },
    webhooks,
  };
}

/** Tries to create configurations of one webhook, minimal except for these fields. */
async function tryEach(api: Conversation, ...differences: readonly object[]): Promise<void> {
  for (const each of differences) {
    const body = configuration(api, 'mutating', { ...minimal, ...each });
    await api.post(configurations('mutating'), body, { dryRun: 'All' });
  }
}

/** Tries to create configurations of one webhook with each of these rules. */
function tryRules(api: Conversation, ...differences: readonly object[]): Promise<void> {
  return tryEach(api, ...differences.map((each) => ({ rules: [{ ...configMaps('CREATE'), ...each }] })));
}

function at(path: string) {
  return { clientConfig: { service: { namespace: 'default', name: 'hook', path } } };
}

function when(...matchConditions: readonly object[]) {
  return { matchConditions };
}

/** Webhook configurations as objects. */
export const webhookDefinitions: readonly ConformanceCase[] = [
  testCase('configurations of webhooks are created with their defaults', async (api) => {
    const service = { namespace: 'default', name: 'hook' };
    const rules = [configMaps('CREATE')];
    for (const kind of ['mutating', 'validating'] as const) {
      await api.post(configurations(kind), configuration(api, kind), { dryRun: 'All' });
      const body = configuration(
        api,
        kind,
        { ...minimal, rules },
        { ...minimal, name: 'b.example.com', clientConfig: { service } },
      );
      await api.post(configurations(kind), body, { dryRun: 'All' });
    }
  }),

  testCase('a change of its webhooks bumps the generation of a configuration', async (api) => {
    const path = configurations('validating');
    await api.post(
      path,
      configuration(api, 'validating', { ...minimal, namespaceSelector: { matchLabels: { row: 'none' } } }),
    );
    const place = `${path}/${api.namespace}-a`;
    await api.patch('merge', place, { metadata: { labels: { app: 'a' } } });
    await api.patch('strategic', place, { webhooks: [{ name: 'a.example.com', timeoutSeconds: 3 }] });
    await api.delete(place);
  }),

  testCase('a webhook has a name of its own', async (api) => {
    await tryEach(api, { name: '' }, { name: 'a' }, { name: 'a.b' }, { name: 'No_Name.example.com' });
    await api.post(configurations('mutating'), configuration(api, 'mutating', minimal, minimal), { dryRun: 'All' });
    const body = { ...configuration(api, 'validating', minimal, minimal), metadata: { name: 'No_Name' } };
    await api.post(configurations('validating'), body, { dryRun: 'All' });
  }),

  testCase('a webhook says what it does and understands', async (api) => {
    await tryEach(
      api,
      { sideEffects: undefined },
      { sideEffects: 'Some' },
      { admissionReviewVersions: [] },
      { admissionReviewVersions: ['v2'] },
      { admissionReviewVersions: ['v1', 'v1', 'V_3'] },
      { failurePolicy: 'Shrug', matchPolicy: 'Maybe', reinvocationPolicy: 'Always' },
      { timeoutSeconds: 0 },
      { timeoutSeconds: 31 },
      { objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
      { namespaceSelector: { matchLabels: { 'no label!': 'x' } } },
    );
  }),

  testCase('the rules of a webhook make sense', async (api) => {
    await tryRules(
      api,
      { operations: [] },
      { operations: ['CREATE', '*'] },
      { operations: ['READ'] },
      { apiGroups: [] },
      { apiGroups: ['apps', '*'] },
      { apiVersions: [''] },
      { apiVersions: ['*', 'v1'] },
      { resources: [] },
      { resources: ['', 'pods'] },
      { resources: ['*', 'pods'] },
      { resources: ['*/*', 'pods'] },
      { resources: ['pods/*', 'pods/log', '*/status', 'nodes/status'] },
      { scope: 'Galaxy' },
    );
  }),

  testCase('a webhook is reached in one way', async (api) => {
    await tryEach(
      api,
      { clientConfig: {} },
      { clientConfig: { ...clientConfig, service: { namespace: 'default', name: 'hook' } } },
      { clientConfig: { url: 'http://example.com' } },
      { clientConfig: { url: '/hook' } },
      { clientConfig: { url: 'https://me:secret@example.com/hook?color=red#top' } },
      { clientConfig: { service: { namespace: '', name: '', port: 70_000 } } },
      at('/'),
      at('//'),
      at('hook'),
      at('/a//b/'),
      at('/a/B_c'),
    );
  }),

  testCase('the conditions of a webhook compile', async (api) => {
    await tryEach(
      api,
      when({ name: 'a', expression: 'object.spec.size > 1 && request.userInfo.groups.exists(g, g == "a")' }),
      when({ name: 'a', expression: ' ' }),
      when({ name: '', expression: 'true' }),
      when({ name: 'no name!', expression: 'true' }),
      when({ name: 'a', expression: 'true' }, { name: 'a', expression: 'false' }),
      when({ name: 'a', expression: '1 +' }),
      when({ name: 'a', expression: '"text"' }),
      when({ name: 'a', expression: 'object' }),
      when({ name: 'a', expression: 'request.color == "red"' }),
      when({ name: 'a', expression: 'params.color == "red"' }),
      when(...Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' }))),
    );
  }),
];
