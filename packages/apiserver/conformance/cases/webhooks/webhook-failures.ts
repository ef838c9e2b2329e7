// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { configurations, selected, selecting } from '../../conversation/hooks.ts';
import { configMap } from '../../objects/objects.ts';

/** Webhooks that cannot be reached, or respond incorrectly. */
export const webhookFailures: readonly ConformanceCase[] = [
  testCase('a webhook that answers something else fails', async (api) => {
    const broken = ['other-version', 'older-version', 'other-kind', 'no-response', 'no-json'] as const;
    await api.hooks.create('validating', 'v', ...broken.map((answer) => ({ answer, ...selecting(answer) })));
    for (const answer of broken) await api.post('configmaps', configMap('a', {}, selected(answer)));
  }),

  testCase('a webhook that answers with the wrong types fails', async (api) => {
    const broken = ['wrong-allowed', 'wrong-warnings', 'wrong-patch', 'wrong-response', 'no-kind'] as const;
    await api.hooks.create('mutating', 'm', ...broken.map((answer) => ({ answer, ...selecting(answer) })));
    for (const answer of broken) await api.post('configmaps', configMap('a', {}, selected(answer)));
  }),

  testCase('a webhook that answers with an error fails', async (api) => {
    const broken = [
      'error',
      'untyped-error',
      'plain-error',
      'not-allowed',
      'unavailable',
      'error-status',
      'teapot',
      'not-found',
    ] as const;
    await api.hooks.create('validating', 'v', ...broken.map((answer) => ({ answer, ...selecting(answer) })));
    for (const answer of broken) await api.post('configmaps', configMap('a', {}, selected(answer)));
  }),

  testCase('the text of a long error of a webhook is cut', async (api) => {
    await api.hooks.create('validating', 'v', { answer: 'long-error' });
    await api.post('configmaps', configMap('a'));
  }),

  testCase('the patch of a webhook may not copy without end', async (api) => {
    await api.hooks.create('mutating', 'm', { answer: 'copy-without-end' });
    await api.post('configmaps', configMap('a', { a: 'b' }));
    await api.post('configmaps', configMap('b'));
  }),

  testCase('a webhook must answer the request it was asked about', async (api) => {
    await api.hooks.create('validating', 'v', { answer: 'other-uid' });
    await api.post('configmaps', configMap('a'));
    await api.hooks.received();
  }),

  testCase('a webhook that does not answer in time fails', async (api) => {
    await api.hooks.create('validating', 'v', { answer: 'slow', timeoutSeconds: 1 });
    await api.post('configmaps', configMap('a'));
    await api.hooks.received();
    await api.hooks.create('mutating', 'm', { answer: 'slow', timeoutSeconds: 2 });
    await api.post('configmaps', configMap('b'));
  }),

  testCase('a webhook that fails is passed over when its policy says so', async (api) => {
    const failurePolicy = 'Ignore';
    await api.hooks.create('mutating', 'm', {
      answer: 'miss-path',
      failurePolicy,
      ...selecting('patch'),
    });
    await api.post('configmaps', configMap('a', {}, selected('patch')));
    await api.hooks.create(
      'mutating',
      'n',
      { answer: 'error', failurePolicy },
      { answer: 'slow', failurePolicy, timeoutSeconds: 1 },
    );
    await api.hooks.create(
      'validating',
      'v',
      { answer: 'other-uid', failurePolicy },
      { answer: 'no-json', failurePolicy },
    );
    await api.post('configmaps', configMap('b'));
    await api.hooks.create('validating', 'w', { answer: 'deny', failurePolicy });
    await api.post('configmaps', configMap('c'));
  }),

  testCase('a webhook must show a certificate of its authority', async (api) => {
    const { url, caBundle } = await api.hooks.at('allow');
    const localhost = { url: url.replace('127.0.0.1', 'localhost'), caBundle };
    await api.hooks.create('validating', 'v', { answer: 'allow', clientConfig: { url } });
    await api.post('configmaps', configMap('a'));
    await api.delete(`${configurations('validating')}/${api.namespace}-v`);
    await api.hooks.create('validating', 'w', { answer: 'allow', clientConfig: localhost });
    await api.post('configmaps', configMap('a'));
  }),

  testCase('a webhook that nobody serves fails', async (api) => {
    const { caBundle } = await api.hooks.at('allow');
    await api.hooks.create('validating', 'v', {
      answer: 'allow',
      clientConfig: { url: 'https://127.0.0.1:1/x', caBundle },
    });
    await api.post('configmaps', configMap('a'));
  }),

  testCase('a webhook is reached through a service', async (api) => {
    const { caBundle } = await api.hooks.at('allow');
    const port = await api.hooks.port();
    const service = (name: string, more: object = {}) => ({
      service: { namespace: api.namespace, name, port, ...more },
      caBundle,
    });
    await api.post('services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'hook' },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    });
    await api.post('services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'headless' },
      spec: { clusterIP: 'None', ports: [{ port: 443 }] },
    });
    await api.hooks.create(
      'validating',
      'v',
      { answer: 'deny', clientConfig: service('hook', { path: `/${api.namespace}/deny` }), ...selecting('there') },
      { answer: 'allow', clientConfig: service('missing'), ...selecting('missing') },
      { answer: 'warn', clientConfig: service('headless', { port: 443 }), ...selecting('headless') },
    );
    for (const each of ['there', 'missing', 'headless']) {
      await api.post('configmaps', configMap('a', {}, selected(each)));
    }
  }),
];
