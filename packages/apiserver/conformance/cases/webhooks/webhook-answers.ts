// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { configMaps, configurations, selected, selecting } from '../../conversation/hooks.ts';
import { defineValues } from '../../objects/define-values.ts';
import { configMap, deployment, pod } from '../../objects/objects.ts';

/** Effects of the responses of webhooks. */
export const webhookAnswers: readonly ConformanceCase[] = [
  testCase('webhooks change an object one after the other', async (api) => {
    await api.hooks.create('mutating', 'b', { answer: 'add-b' });
    await api.hooks.create('mutating', 'a', { answer: 'add-a' }, { answer: 'allow', name: 'second.a.example.com' });
    await api.post('configmaps', configMap('a'));
    await api.hooks.received();
  }),

  testCase('a webhook is asked again when another has changed the object since', async (api) => {
    await api.hooks.create(
      'mutating',
      'm',
      { answer: 'add-a', reinvocationPolicy: 'IfNeeded' },
      { answer: 'add-b' },
      { answer: 'allow', reinvocationPolicy: 'IfNeeded' },
    );
    await api.post('configmaps', configMap('a'));
    await api.hooks.received();
  }),

  testCase('what a webhook adds is pruned and defaulted', async (api) => {
    await api.hooks.create('mutating', 'm', { answer: 'add-unknown-field' });
    await api.post('configmaps', configMap('a', { color: 'red' }), { fieldValidation: 'Strict' });
    const spec = {
      type: 'object',
      properties: { size: { type: 'integer', maximum: 5 }, color: { type: 'string', default: 'red' } },
    };
    const { path, value } = await defineValues(api, { spec });
    const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['values'] }];
    await api.hooks.create('mutating', 'values', { answer: 'add-spec-field', rules });
    await api.post(path, value('a', { color: 'blue' }));
    await api.hooks.received();
  }),

  testCase('what a webhook makes of an object must be valid', async (api) => {
    await api.hooks.create('mutating', 'm', { answer: 'break-rules' });
    await api.hooks.create('validating', 'v', { answer: 'allow' });
    await api.post('configmaps', configMap('a'));
    await api.hooks.received();
  }),

  testCase('a webhook changes a scale', async (api) => {
    await api.post('apps/v1/deployments', deployment('web', { replicas: 2 }));
    await api.hooks.create('mutating', 'm', {
      answer: 'set-replicas',
      rules: [{ operations: ['*'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['*/scale'] }],
    });
    await api.patch('merge', 'apps/v1/deployments/web/scale', { spec: { replicas: 3 } });
    await api.get('apps/v1/deployments/web');
  }),

  testCase('a webhook may rename a new object, but not move it nor rename an old one', async (api) => {
    await api.post('configmaps', configMap('a', {}, selected('rename')));
    await api.post('configmaps', configMap('b', {}, selected('move')));
    const rules = [configMaps('CREATE', 'UPDATE')];
    const renaming = (['rename', 'move', 'forget-managers'] as const).map((answer) => ({
      answer,
      rules,
      ...selecting(answer),
    }));
    await api.hooks.create('mutating', 'm', ...renaming);
    await api.patch('merge', 'configmaps/a', { data: { color: 'red' } });
    await api.patch('merge', 'configmaps/b', { data: { color: 'red' } });
    await api.post('configmaps', configMap('c', {}, selected('rename')));
    await api.post('configmaps', configMap('d', {}, selected('move')));
    await api.post('configmaps', configMap('e', { color: 'red' }, selected('forget-managers')));
  }),

  testCase('a webhook cannot set a status beside it', async (api) => {
    await api.post('pods', pod('a'));
    const rules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
    await api.hooks.create('mutating', 'm', { answer: 'set-status', rules });
    await api.patch('merge', 'pods/a', { metadata: { labels: { app: 'a' } } });
    await api.post('pods', pod('b'));
  }),

  testCase('a patch that cannot be applied is an error of the server', async (api) => {
    const broken = [
      'miss-path',
      'miss-field',
      'break-type',
      'no-patch',
      'broken-patch',
      'other-patch',
      'patch-without-type',
    ] as const;
    await api.hooks.create('mutating', 'm', ...broken.map((answer) => ({ answer, ...selecting(answer) })));
    for (const answer of broken) await api.post('configmaps', configMap('a', {}, selected(answer)));
  }),

  testCase('a deletion can be refused, but changed by no webhook', async (api) => {
    await api.post('configmaps', configMap('a'));
    await api.post('configmaps', configMap('b'));
    await api.hooks.create('mutating', 'm', { answer: 'add-a', rules: [configMaps('DELETE')] });
    await api.delete('configmaps/a');
    await api.delete(`${configurations('mutating')}/${api.namespace}-m`);
    await api.hooks.create('validating', 'v', { answer: 'deny-with-message', rules: [configMaps('DELETE')] });
    await api.delete('configmaps/a');
    await api.delete('configmaps/a', { dryRun: ['All'] });
    await api.delete('configmaps/a', { preconditions: { uid: 'another' } });
    await api.delete('configmaps');
    await api.get('configmaps/b');
  }),

  testCase('a webhook refuses in its own words', async (api) => {
    const denials = [
      'deny',
      'deny-with-message',
      'deny-with-reason',
      'deny-with-details',
      'deny-with-success',
    ] as const;
    await api.hooks.create('validating', 'v', ...denials.map((answer) => ({ answer, ...selecting(answer) })));
    for (const answer of denials) await api.post('configmaps', configMap('a', {}, selected(answer)));
    await api.hooks.create('mutating', 'm', { answer: 'deny' });
    await api.post('configmaps', configMap('b'));
  }),

  testCase('the first webhook that refuses is heard', async (api) => {
    await api.hooks.create('mutating', 'm', { answer: 'deny-with-message' }, { answer: 'add-a' });
    await api.hooks.create('validating', 'v', { answer: 'deny' });
    await api.post('configmaps', configMap('a'));
    await api.hooks.received();
  }),

  testCase('warnings of webhooks are passed on', async (api) => {
    await api.hooks.create('mutating', 'm', { answer: 'warn' });
    await api.post('configmaps', configMap('a'));
    await api.hooks.create('validating', 'v', { answer: 'warn-and-deny' });
    await api.post('configmaps', configMap('b'));
  }),

  testCase('warnings of webhooks are cut to what a header can hold', async (api) => {
    await api.hooks.create('validating', 'v', { answer: 'warn-at-length' });
    await api.post('configmaps', configMap('a'));
  }),

  testCase('a validating webhook may not change anything', async (api) => {
    await api.hooks.create('validating', 'v', { answer: 'add-a' });
    await api.post('configmaps', configMap('a'));
  }),
];
