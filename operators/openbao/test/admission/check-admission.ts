// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { Client } from '@forge/kube/client/client.ts';
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { mergePatch } from '@forge/kube/patch/merge-patch.ts';
import { openbaoPolicy } from '../../admission/policy.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { openbaoFixture } from '../openbao-fixture.ts';
import type { AdmissionCase } from './admission-case.ts';

/** The fixture with these changes, as a request carries it. */
const changed = (...changes: readonly object[]): OpenBaoCluster =>
  JSON.parse(JSON.stringify(changes.reduce<unknown>(mergePatch, openbaoFixture()))) as OpenBaoCluster;

/** The definition of the kind as it would be without rules and bounds, so that only a policy refuses. */
export const permissiveDefinition = () =>
  JSON.parse(
    JSON.stringify(crdOf(OpenBaoCluster), (key, value: unknown) => (bounds.includes(key) ? undefined : value)),
  ) as ReturnType<typeof crdOf>;

const bounds = ['x-kubernetes-validations', 'maxProperties', 'maxLength', 'minLength'];

/** Tries the mistake, which must be refused with these words and change nothing; then its correction, which must be accepted. */
export async function checkAdmission(
  client: Client,
  each: AdmissionCase,
  said: (error: ApiError) => void,
): Promise<void> {
  const { before, change, corrected, initialised } = each;
  const stored = before && changed(before);
  if (stored !== undefined) await client.create(OpenBaoCluster, stored);
  const [ref, fixed] = [changed(corrected).metadata, changed(before ?? {}, corrected)];
  try {
    if (stored !== undefined && initialised === true) {
      await client.patch(OpenBaoCluster, ref, 'merge', { status: { initialized: true } }, { subresource: 'status' });
    }
    const write = (patch: object, object: OpenBaoCluster) =>
      stored === undefined ? client.create(OpenBaoCluster, object) : client.patch(OpenBaoCluster, ref, 'merge', patch);
    await assert.rejects(write(change, changed(before ?? {}, change)), (error) => {
      assert.ok(error instanceof ApiError, String(error));
      said(error);
      return true;
    });
    await write(corrected, fixed);
  } finally {
    await client.delete(OpenBaoCluster, ref);
  }
}

/** What the schema says: the field, and its message. */
export function saidBySchema(error: ApiError, [field, part]: AdmissionCase['schema']): void {
  const causes = error.status.details?.causes ?? [];
  const found = causes.some((cause) => (field === '' || cause.field === field) && (cause.message ?? '').includes(part));
  assert.ok(found, `${field}: ${part} not found in ${JSON.stringify(causes, undefined, 1)}`);
}

/** What the policy says. */
export const saidByPolicy = (error: ApiError, part: string): void =>
  assert.ok(error.message.includes(part), `${part} not found in ${error.message}`);

/** Whether a policy refuses what the definition allows: a new one, and a change of the definition, take effect after a while. */
export async function isEnforced(client: Client): Promise<boolean> {
  const config = { listener: 'x' };
  try {
    await client.create(OpenBaoCluster, openbaoFixture({ config }), { dryRun: true });
    return false;
  } catch (error) {
    return error instanceof ApiError && error.message.includes(`ValidatingAdmissionPolicy '${openbaoPolicy.name}'`);
  }
}
