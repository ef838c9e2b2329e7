// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuditEntry } from './audit-log.ts';
import { doubleWrites } from './double-writes.ts';

let time = 0;

function request(pod: string, verb: string, target: string, code = 200): AuditEntry {
  const [resource = '', name = ''] = target.split('/');
  time += 1;
  return {
    auditID: String(time),
    stage: 'ResponseComplete',
    verb,
    requestURI: `/api/v1/namespaces/a/${target}`,
    requestReceivedTimestamp: new Date(time).toISOString(),
    user: { username: 'operator', extra: { 'authentication.kubernetes.io/pod-name': [pod] } },
    objectRef: { resource, name, namespace: 'a' },
    responseStatus: { code },
  };
}

const lead = (pod: string) => request(pod, 'update', 'leases/lease');

describe('double writes in an audit log', () => {
  test('do not exist when one leader follows another, or when the first one leads again', () => {
    const entries = [
      lead('one'),
      request('one', 'patch', 'jobs/expand', 201),
      request('two', 'get', 'jobs/expand'),
      lead('two'),
      request('two', 'patch', 'jobs/migrate', 201),
      request('one', 'update', 'leases/lease', 409),
      request('two', 'patch', 'keystones/a'),
      lead('one'),
      request('one', 'patch', 'keystones/a'),
    ];
    assert.deepEqual(doubleWrites(entries), []);
  });

  test('are those of a pod while another pod leads', () => {
    const entries = [
      lead('one'),
      request('one', 'patch', 'keystones/a'),
      lead('two'),
      request('one', 'patch', 'jobs/expand'),
    ];
    assert.match(doubleWrites(entries).join(), /one patch jobs a\/expand 200: while two led$/);
  });

  test('are creates of existing objects, unless they were deleted in between', () => {
    const create = () => request('one', 'patch', 'jobs/expand', 201);
    const recreated = [lead('one'), create(), request('one', 'delete', 'jobs/expand'), create()];
    assert.deepEqual(doubleWrites(recreated), []);
    assert.match(doubleWrites([lead('one'), create(), create()]).join(), /jobs a\/expand 201: created before$/);
  });

  test('are not creates of equal names in two namespaces, or of subresources of another object', () => {
    const [leads, created] = [lead('one'), request('one', 'create', 'serviceaccounts/rotate', 201)];
    const at = { resource: 'serviceaccounts', name: 'rotate', namespace: 'a' };
    const elsewhere = { ...created, objectRef: { ...at, namespace: 'b' } };
    const token = { ...created, objectRef: { ...at, subresource: 'token' } };
    assert.deepEqual(doubleWrites([leads, created, elsewhere, token]), []);
  });

  test('are detected by the times when requests were received: the log is in the order of responses', () => {
    const entries = [
      lead('one'),
      request('one', 'patch', 'keystones/a'),
      lead('two'),
      request('two', 'patch', 'keystones/a'),
    ];
    assert.deepEqual(doubleWrites(entries.toReversed()), []);
    assert.match(doubleWrites([...entries, request('one', 'patch', 'jobs/a')].toReversed()).join(), /while two led$/);
  });

  test('are not dry runs, refused requests or Events', () => {
    const dryRun = { ...request('one', 'create', 'jobs/expand', 201), requestURI: '/apis/batch/v1/jobs?dryRun=All' };
    const entries = [
      lead('two'),
      request('two', 'patch', 'keystones/a'),
      dryRun,
      request('one', 'patch', 'keystones/a', 409),
      request('one', 'create', 'events/a', 201),
    ];
    assert.deepEqual(doubleWrites(entries), []);
  });
});
