// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ApiServer } from '@forge/apiserver/api-server.ts';
import { CronJob, Role, RoleBinding, Secret } from '@forge/kube/kinds/builtin.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { playCronJob } from './play-cron-job.ts';
import { prepareCluster } from './prepare-cluster.ts';
import { world } from './world.ts';

const namespace = 'default';
const named = (name: string) => ({ namespace, name });
const secret = (name: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: named(name),
  data: { 0: btoa('zero') },
});
const apiGroup = 'rbac.authorization.k8s.io';
const cronJob: CronJob = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: named('rotate'),
  spec: {
    schedule: '* * * * *',
    jobTemplate: {
      spec: {
        template: {
          spec: {
            serviceAccountName: 'rotate',
            restartPolicy: 'OnFailure',
            containers: [
              {
                name: 'rotate',
                image: 'keys',
                env: [
                  { name: 'SECRET_NAME', value: 'staging' },
                  { name: 'SECRET_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
                ],
              },
            ],
            volumes: [{ name: 'keys', secret: { secretName: 'keys' } }],
          },
        },
      },
    },
  },
};

describe('a simulated run of a CronJob', () => {
  let from: ApiServer;

  before(async () => {
    from = await prepareCluster({
      async setUp(user) {
        for (const name of ['keys', 'staging']) await user.create(Secret, secret(name));
        await user.create(CronJob, cronJob);
        const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['patch'], resourceNames: ['staging'] }];
        await user.create(Role, { apiVersion: `${apiGroup}/v1`, kind: 'Role', metadata: named('rotate'), rules });
        await user.create(RoleBinding, {
          apiVersion: `${apiGroup}/v1`,
          kind: 'RoleBinding',
          metadata: named('rotate'),
          roleRef: { apiGroup, kind: 'Role', name: 'rotate' },
          subjects: [{ kind: 'ServiceAccount', name: 'rotate', namespace }],
        });
      },
    });
  });

  after(async () => {
    await from.close();
  });

  test('has the environment, the Secrets and the permissions of its pod, and no others', async () => {
    await using here = await world({ from });
    const run = playCronJob(here, named('rotate'), async ({ client, variables, mounted }) => {
      assert.deepEqual(variables, { SECRET_NAME: 'staging', SECRET_NAMESPACE: namespace });
      assert.deepEqual(mounted('keys'), { 0: 'zero' });
      assert.throws(() => mounted('other'), /cannot mount volume other/);
      await client.patch(Secret, named('staging'), 'strategic', { data: { 1: btoa('one') } });
      await assert.rejects(client.patch(Secret, named('keys'), 'strategic', { data: {} }), /forbidden/);
    });
    await here.during(run);
    assert.deepEqual(Object.keys(here.state.find(Secret, named('staging'))?.data ?? {}), ['0', '1']);
  });

  test('does not start by itself', async () => {
    await using here = await world({ from });
    await here.advance(minutes(10));
    assert.equal(here.state.find(CronJob, named('rotate'))?.status?.lastScheduleTime, undefined);
    await here.during(here.user.patch(CronJob, named('rotate'), 'merge', { spec: { suspend: true } }));
    await assert.rejects(
      playCronJob(here, named('rotate'), async () => undefined),
      /CronJob default\/rotate is suspended/,
    );
  });
});
