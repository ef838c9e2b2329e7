// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { apiServer } from '@forge/apiserver/api-server.ts';
import { serve } from '@forge/apiserver/wire/serve.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueClientCertificate, issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import recorded from './test/recorded.json' with { type: 'json' };
import { runStory } from './test/run-story.ts';

test('the example behaves on the embedded API server as recorded on Kubernetes', async () => {
  const validity = { now: Date.now(), validDays: 1 };
  const authority = certificateAuthority({ ...validity, name: 'example' });
  const serving = issueServerCertificate(authority, { ...validity, names: [], addresses: ['127.0.0.1'] });
  const admin = issueClientCertificate(authority, { ...validity, user: 'admin', groups: ['system:masters'] });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const server = await apiServer({ clock: systemClock, random: systemRandom, serviceAccounts: { signingKey } });
  const listening = await serve(server, { port: 0, tls: { ...serving, clientCa: authority.cert } });
  try {
    const connection = { server: `https://127.0.0.1:${listening.port}`, ca: authority.cert, ...admin };
    assert.deepEqual(JSON.parse(JSON.stringify(await runStory(connection))), recorded);
  } finally {
    await listening.close();
    await server.close();
  }
});
