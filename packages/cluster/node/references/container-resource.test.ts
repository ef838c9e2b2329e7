// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { availableParallelism, totalmem } from 'node:os';
import { test } from 'node:test';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { containerResource } from './container-resource.ts';

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: {
    initContainers: [{ name: 'init', resources: { limits: { cpu: '2' } } }],
    containers: [
      {
        name: 'main',
        resources: {
          requests: { cpu: '250m', memory: '64Mi' },
          limits: { cpu: '1500m', memory: '128Mi', 'ephemeral-storage': '1G' },
        },
      },
      { name: 'free' },
    ],
  },
};

const value = (resource: string, divisor?: string, containerName?: string) =>
  containerResource(pod, pod.spec?.containers[0], {
    resource,
    ...(divisor !== undefined && { divisor }),
    ...(containerName !== undefined && { containerName }),
  });

test('a resource of the downward API is divided and rounded up', () => {
  assert.deepEqual(
    [value('limits.cpu'), value('limits.cpu', '1m'), value('requests.cpu'), value('limits.cpu', '0')],
    ['2', '1500', '1', '2'],
  );
  assert.deepEqual(
    [value('limits.memory'), value('requests.memory', '1Mi'), value('limits.memory', '100Mi')],
    ['134217728', '64', '2'],
  );
  assert.equal(value('limits.ephemeral-storage', '1M'), '1000');
});

test('a resource can be that of another container', () => {
  assert.equal(value('limits.cpu', '1', 'init'), '2');
  assert.throws(() => value('limits.cpu', '1', 'nobody'), { message: 'container nobody not found' });
});

test('a missing limit is what the node has, and a missing request is 0', () => {
  assert.equal(value('limits.cpu', '1', 'free'), String(availableParallelism()));
  assert.equal(value('limits.memory', '1Ki', 'free'), String(Math.floor(totalmem() / 1024)));
  assert.equal(value('requests.memory', '1', 'free'), '0');
});

test('other fields are errors', () => {
  assert.throws(() => value('cpu'), { message: 'unsupported container resource : cpu' });
});
