// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { LiveKeystone } from './live-keystone.ts';
import { canary } from './tenant.ts';

/** An EC2 credential, which Keystone stores encrypted. */
export interface StoredCredential {
  id: string;
  blob: string;
}

/** Stores an EC2 credential of the administrator. */
export async function storeCredential(keystone: LiveKeystone): Promise<StoredCredential> {
  const token = await keystone.login();
  const { user, project } = (await call(keystone, '/auth/tokens', token)).token as Record<string, { id: string }>;
  const blob = JSON.stringify({ access: 'e2e', secret: canary() });
  const credential = { type: 'ec2', blob, user_id: user?.id, project_id: project?.id };
  const created = (await call(keystone, '/credentials', token, { credential })).credential as StoredCredential;
  return { id: created.id, blob };
}

/** Fails unless the credential can be read, with the content that was stored. */
export async function checkCredential(keystone: LiveKeystone, { id, blob }: StoredCredential): Promise<void> {
  const read = (await call(keystone, `/credentials/${id}`, await keystone.login())).credential as StoredCredential;
  assert.equal(read.blob, blob);
}

async function call(
  { url }: LiveKeystone,
  path: string,
  token: string,
  body?: unknown,
): Promise<{ token?: unknown; credential?: unknown }> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-auth-token': token, 'x-subject-token': token, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  assert.ok(response.ok, `${path} answered ${response.status}: ${await response.clone().text()}`);
  return (await response.json()) as { token?: unknown; credential?: unknown };
}
