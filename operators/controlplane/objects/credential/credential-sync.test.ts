// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { pushContentHashAnnotation } from '@forge/openstack/secret-store.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { forceSyncAnnotation } from '../../api/names.ts';
import { controlPlaneFixture } from '../../test/control-plane-fixture.ts';
import { cloudsYamlSync, credentialPush, pushStamp, syncTrigger } from './credential-sync.ts';

const controlPlane = controlPlaneFixture();
const store = 'openbao-cluster-store';
const start = Date.UTC(2026, 0, 1);

/** A PushSecret with this stamp that was pushed then, or is not ready. */
function pushed(stamp: string, at: number | undefined): PushSecret {
  const status = {
    conditions: [{ type: 'Ready', status: at === undefined ? ('False' as const) : ('True' as const) }],
    ...(at !== undefined && { refreshTime: new Date(at).toISOString(), syncedResourceVersion: `1-${at}` }),
  };
  return { ...credentialPush(controlPlane, { store, stamp }), status };
}

const stampOf = (live: PushSecret | undefined, missingSince: number | undefined, now: number) =>
  pushStamp({ hash: 'abc', live, missingSince, now });

describe('the way of the credential to OpenBao and back', () => {
  test('is a PushSecret of the whole Secret that outlives the ControlPlane, and an ExternalSecret of clouds.yaml', () => {
    const remoteKey = 'openstack/keystone/openstack/controlplane/admin/app-credential';
    assert.deepEqual(credentialPush(controlPlane, { store, stamp: 'abc' }), {
      apiVersion: 'external-secrets.io/v1alpha1',
      kind: 'PushSecret',
      metadata: {
        name: 'controlplane-admin-app-credential-backup',
        annotations: { [pushContentHashAnnotation]: 'abc' },
      },
      spec: {
        deletionPolicy: 'None',
        secretStoreRefs: [{ kind: 'ClusterSecretStore', name: store }],
        selector: { secret: { name: 'controlplane-admin-app-credential' } },
        data: [{ conversionStrategy: 'None', match: { remoteRef: { remoteKey } } }],
      },
    });
    assert.deepEqual(cloudsYamlSync(controlPlane, { store, trigger: 'abc/1-x' }), {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: { name: 'k-orc-clouds-yaml', annotations: { [forceSyncAnnotation]: 'abc/1-x' } },
      spec: {
        refreshInterval: '1h0m0s',
        secretStoreRef: { kind: 'ClusterSecretStore', name: store },
        target: { name: 'k-orc-clouds-yaml', creationPolicy: 'Owner' },
        data: [{ secretKey: 'clouds.yaml', remoteRef: { key: remoteKey, property: 'clouds.yaml' } }],
      },
    });
  });

  test('is stamped with the document, and not again while nothing is missing', () => {
    assert.equal(stampOf(undefined, undefined, start), 'abc');
    assert.equal(stampOf(pushed('other-3', start), start, start + minutes(60)), 'abc');
    assert.equal(stampOf(pushed('abc', start), undefined, start + minutes(60)), 'abc');
  });

  test('is not stamped again while the push itself fails: External Secrets tries on', () => {
    assert.equal(stampOf(pushed('abc', undefined), start, start + minutes(60)), 'abc');
  });

  test('is stamped again after 60 s, then after pauses that double to 15 min, while the document does not come back', () => {
    let live = pushed('abc', start);
    const times: number[] = [];
    for (let now = start; now <= start + minutes(60); now += seconds(10)) {
      const stamp = stampOf(live, start, now);
      if (stamp === live.metadata.annotations?.[pushContentHashAnnotation]) continue;
      times.push((now - start) / 1000);
      live = pushed(stamp, now);
    }
    assert.deepEqual(times, [60, 120, 240, 480, 960, 1860, 2760]);
  });

  test('is stamped again after 60 s in a new outage, however often it was in an earlier one', () => {
    const live = pushed('abc-7-1-x', start - minutes(60));
    assert.equal(stampOf(live, start, start + seconds(59)), 'abc-7-1-x');
    assert.equal(stampOf(live, start, start + seconds(60)), `abc-8-1-${start - minutes(60)}`);
  });

  test('is not stamped again before the last stamp was pushed: nobody may be there to push it', () => {
    const stamp = stampOf(pushed('abc', start), start, start + minutes(5));
    assert.equal(stamp, `abc-1-1-${start}`);
    assert.equal(stampOf(pushed(stamp, start), start, start + minutes(60)), stamp);
  });

  test('is triggered by every push, and never between a stamp and its push', () => {
    const push = pushed('abc', 1);
    assert.equal(syncTrigger('abc', push, undefined), 'abc/1-1');
    const live = cloudsYamlSync(controlPlane, { store, trigger: 'old/1-1' });
    assert.equal(syncTrigger('abc', push, live), 'old/1-1');
    const again = { ...push, status: { ...push.status, syncedResourceVersion: '2-def' } };
    assert.equal(syncTrigger('abc', again, live), 'abc/2-def');
    assert.equal(syncTrigger('abc', pushed('abc', undefined), undefined), 'abc/');
  });
});
