// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ApiError } from '@forge/kube/errors/api-error.ts';
import type { FieldError } from '@forge/kube/errors/field-error.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import { mergePatch } from '@forge/kube/patch/merge-patch.ts';
import { errorsOf } from './admission.ts';
import { Keystone } from './keystone.ts';
import { admissionCluster, type AdmissionCluster } from './test/admission-cluster.ts';
import { admissionRows, type AdmissionRow } from './test/admission-rows.ts';
import { keystoneFixture } from './test/keystone-fixture.ts';

/** The fixture with these changes, as a request carries it. */
const changed = (...changes: object[]): Keystone =>
  JSON.parse(JSON.stringify(changes.reduce<unknown>(mergePatch, keystoneFixture()))) as Keystone;

/** What the server says to the change: the causes of its refusal, or nothing. */
async function refusal({ client }: AdmissionCluster, row: AdmissionRow): Promise<readonly FieldError[]> {
  if (row.before !== undefined) await client.create(Keystone, changed(row.before));
  const object = changed(row.before ?? {}, row.change);
  const ref = refOf(object);
  try {
    if (row.before === undefined) await client.create(Keystone, object, { dryRun: true });
    else await client.patch(Keystone, ref, 'merge', row.change, { dryRun: true });
    return [];
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return (error.status.details?.causes ?? []) as FieldError[];
  } finally {
    if (row.before !== undefined) await client.delete(Keystone, ref);
  }
}

function assertSaid(errors: readonly FieldError[], [field, part]: readonly [string, string]): void {
  const found = errors.some((error) => error.field === field && error.message.includes(part));
  assert.ok(found, `${field}: ${part} is not among ${JSON.stringify(errors, undefined, 1)}`);
}

describe('admission of a Keystone', () => {
  let bare: AdmissionCluster;
  let guarded: AdmissionCluster;

  before(async () => {
    bare = await admissionCluster({ webhooks: false });
    guarded = await admissionCluster({ webhooks: true });
  });

  after(async () => {
    await bare[Symbol.asyncDispose]();
    await guarded[Symbol.asyncDispose]();
  });

  for (const row of admissionRows) {
    test(`refuses ${row.name}`, async () => {
      const {
        webhook: [field, message],
        schema,
      } = row;
      const stored = row.before && changed(row.before);
      const errors = errorsOf(changed(row.before ?? {}, row.change), stored);
      assert.deepEqual(
        errors.map((error) => [error.field, error.message]),
        [[field, message]],
      );
      const bySchema = await refusal(bare, row);
      if (schema === undefined) assert.deepEqual(bySchema, [], 'the schema can say this rule: name its message');
      else assertSaid(bySchema, schema);
      assertSaid(await refusal(guarded, row), schema ?? row.webhook);
    });
  }

  test('says all that is wrong at once', async () => {
    const args = ['--date=30-02-2025'];
    const change = { spec: { fernet: { rotationSchedule: '0 5-3 * * *' }, trustFlush: { args } } };
    const everything = /spec\.fernet\.rotationSchedule: Invalid value.*, spec\.trustFlush\.args\[0\]: Invalid value/;
    await assert.rejects(guarded.client.create(Keystone, changed(change)), everything);
  });
});
