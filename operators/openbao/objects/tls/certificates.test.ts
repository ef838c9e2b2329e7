// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { certificatesIn, isSignedBy, readCertificate } from '@forge/pki/read-certificate.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { openbaoFixture } from '../../test/openbao-fixture.ts';
import { planCertificates } from './certificate-plan.ts';
import { externalProblem } from './external-certificates.ts';
import { issueCertificates } from './issue-certificates.ts';
import { serverHosts } from './server-hosts.ts';
import { authoritySecret, certificateHash, serverSecret, storedCertificates } from './stored-certificates.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const day = 86_400_000;
const rotationPeriod = minutes(720 * 60);
const cluster = openbaoFixture();
const hosts = serverHosts(cluster);
const { keys } = seededRandom();

/** The two Secrets. */
interface Secrets {
  ca?: Secret;
  server?: Secret;
}

const planOf = ({ ca, server }: Secrets, now = start, wanted = hosts) =>
  planCertificates(storedCertificates(ca, server), { hosts: wanted, rotationPeriod, now });

/** The Secrets after a pass. */
function pass(secrets: Secrets = {}, now = start, { isServed = false, wanted = hosts } = {}): Required<Secrets> {
  const stored = storedCertificates(secrets.ca, secrets.server);
  const plan = planCertificates(stored, { hosts: wanted, rotationPeriod, now });
  const certificates = issueCertificates(cluster, stored, plan, { hosts: wanted, now, keys, isServed });
  return { ca: authoritySecret(cluster, certificates), server: serverSecret(cluster, certificates) };
}

const text = ({ data }: Secret, key: string) => Buffer.from(data?.[key] ?? '', 'base64').toString();
const withText = (secret: Secret, key: string, value: string): Secret => ({
  ...secret,
  data: { ...secret.data, [key]: Buffer.from(value).toString('base64') },
});

describe('the hosts of a server certificate', () => {
  test('are the Services and pods of the cluster, and what is there for its users', () => {
    assert.deepEqual(serverHosts(openbaoFixture({ replicas: 1 })), {
      names: [
        'localhost',
        'openbao-cluster-demo.local',
        'demo.default.svc',
        'demo.default.svc.cluster.local',
        '*.demo.default.svc',
        '*.demo.default.svc.cluster.local',
        'demo-0.demo.default.svc',
        'demo-0.demo.default.svc.cluster.local',
        '*.default.svc',
        '*.default.svc.cluster.local',
      ],
      addresses: ['127.0.0.1'],
    });
    const ingress = { enabled: true, host: ' bao.example.com ', path: '/' };
    const tls = { ...cluster.spec.tls, extraSANs: ['other.example.com', '192.0.2.1', '2001:db8:0:0::1', '127.0.0.1'] };
    const { names, addresses } = serverHosts(openbaoFixture({ ingress, tls }));
    assert.deepEqual(names.slice(-3), ['demo-public.default.svc', 'bao.example.com', 'other.example.com']);
    assert.deepEqual(addresses, ['127.0.0.1', '192.0.2.1', '2001:db8::1']);
    const service = { type: 'ClusterIP' } as const;
    assert.equal(serverHosts(openbaoFixture({ service })).names.at(-1), 'demo-public.default.svc');
  });

  test('are the pods of both revisions of a blue/green upgrade', () => {
    const blueGreen = { blueRevision: 'aaaa', greenRevision: 'bbbb' };
    const { names } = serverHosts({ ...openbaoFixture({ replicas: 2 }), status: { conditions: [], blueGreen } });
    const pods = names.filter((name) => /^demo-\S+\.demo\.default\.svc$/.test(name)).map((name) => name.split('.')[0]);
    assert.deepEqual(pods, ['demo-0', 'demo-1', 'demo-aaaa-0', 'demo-aaaa-1', 'demo-bbbb-0', 'demo-bbbb-1']);
  });

  test('leave out the host of an Ingress that there is not', () => {
    const { names } = serverHosts(openbaoFixture({ ingress: { enabled: false, host: 'bao.example.com', path: '/' } }));
    assert.deepEqual(names, hosts.names);
  });
});

describe('the certificates of a cluster', () => {
  const { ca, server } = pass();

  test('are a CA for ten years, and a server certificate of it for one', () => {
    const root = readCertificate(text(ca, 'ca.crt'));
    const leaf = readCertificate(text(server, 'tls.crt'));
    assert.deepEqual(
      [ca.type, ca.metadata.name, Object.keys(ca.data ?? {})],
      ['Opaque', 'demo-tls-ca', ['ca.crt', 'ca.key']],
    );
    assert.deepEqual(
      [server.type, server.metadata.name, Object.keys(server.data ?? {})],
      ['kubernetes.io/tls', 'demo-tls-server', ['tls.crt', 'tls.key', 'ca.crt']],
    );
    assert.deepEqual(
      [root.subject, leaf.subject],
      ['O=OpenBao Operator\nCN=demo OpenBao Root CA', 'O=OpenBao Operator\nCN=demo.openbao.svc'],
    );
    assert.deepEqual([root.notBefore, root.notAfter], [start - 3_600_000, start + 3650 * day]);
    assert.deepEqual([leaf.notBefore, leaf.notAfter], [start - 3_600_000, start + 365 * day]);
    assert.deepEqual([leaf.names, leaf.addresses], [hosts.names, hosts.addresses]);
    assert.equal(text(server, 'ca.crt'), text(ca, 'ca.crt'));
    assert.ok(
      [text(ca, 'ca.key'), text(server, 'tls.key')].every((key) => key.startsWith('-----BEGIN EC PRIVATE KEY-----')),
    );
    assert.ok(new X509Certificate(text(server, 'tls.crt')).checkHost('demo-2.demo.default.svc'));
    assert.equal(certificateHash(server).length, 64);
  });

  test('stay as they are while nothing is due, and say when something is', () => {
    assert.deepEqual(pass({ ca, server }, start + day), { ca, server });
    const dueAt = start + 365 * day - rotationPeriod;
    assert.deepEqual(planOf({ ca, server }), { authority: undefined, server: undefined, dueAt });
    assert.deepEqual(planOf({ ca, server }, dueAt - 1).server, undefined);
    assert.deepEqual(planOf({ ca, server }, dueAt).server, {
      reason: 'Expiring',
      message: 'The server certificate ends at 2027-03-01T12:00:00Z',
    });
  });

  test('may have more names than are wanted; a name that is not there is a reason for another', () => {
    const fewer = serverHosts(openbaoFixture({ replicas: 1 }));
    assert.equal(planOf({ ca, server }, start, fewer).server, undefined);
    const inCapitals = { ...hosts, names: ['BAO.example.com'] };
    const issued = pass({}, start, { wanted: inCapitals });
    assert.equal(planOf(issued, start, { ...hosts, names: ['bao.Example.com'] }).server, undefined);
    const more = serverHosts(openbaoFixture({ replicas: 4 }));
    assert.deepEqual(planOf({ ca, server }, start, more).server, {
      reason: 'HostMissing',
      message: 'The server certificate does not have demo-3.demo.default.svc and 1 more',
    });
    const address = { ...hosts, addresses: ['127.0.0.1', '::1'] };
    assert.equal(planOf({ ca, server }, start, address).server?.message, 'The server certificate does not have ::1');
  });

  const other = pass();
  for (const [problem, secrets, authority, issued] of [
    ['nothing', {}, 'Missing', 'Missing'],
    ['no server certificate', { ca }, undefined, 'Missing'],
    ['no CA', { server }, 'Missing', 'NotSigned'],
    ['a CA without its key', { ca: withText(ca, 'ca.key', ''), server }, 'Missing', 'NotSigned'],
    [
      'a CA with the key of another',
      { ca: { ...ca, data: { ...ca.data, 'ca.key': other.ca.data?.['ca.key'] ?? '' } }, server },
      'Unreadable',
      'NotSigned',
    ],
    [
      'a CA that is none',
      { ca: withText(withText(ca, 'ca.crt', text(server, 'tls.crt')), 'ca.key', text(server, 'tls.key')), server },
      'Unreadable',
      'NotSigned',
    ],
    ['an unreadable CA', { ca: withText(ca, 'ca.crt', 'x'), server }, 'Unreadable', 'NotSigned'],
    ['an unreadable certificate', { ca, server: withText(server, 'tls.crt', 'x') }, undefined, 'Unreadable'],
    ['an unreadable key', { ca, server: withText(server, 'tls.key', 'x') }, undefined, 'Unreadable'],
    ['a certificate of another CA', { ca: other.ca, server }, undefined, 'NotSigned'],
  ] as const) {
    test(`are made where there is ${problem}`, () => {
      const plan = planOf(secrets);
      assert.deepEqual([plan.authority?.reason, plan.server?.reason, plan.dueAt], [authority, issued, undefined]);
      const after = pass(secrets);
      const { authority: none, server: nothing } = planOf(after);
      assert.deepEqual([none, nothing], [undefined, undefined]);
    });
  }

  test('of a CA that would end before its next server certificate are replaced, and both CAs are trusted meanwhile', () => {
    const late = start + (3650 - 365) * day;
    const { authority, server: issued } = planOf({ ca, server }, late);
    assert.deepEqual([authority?.reason, issued?.reason], ['Expiring', 'NotSigned']);
    // Whatever pods served before, they do not serve the new one yet.
    const replaced = pass({ ca, server }, late, { isServed: true });
    const [current = '', former] = certificatesIn(text(replaced.server, 'ca.crt'));
    assert.equal(former, text(ca, 'ca.crt'));
    assert.ok(isSignedBy(text(replaced.server, 'tls.crt'), current));
    assert.equal(text(replaced.ca, 'ca.crt'), text(replaced.server, 'ca.crt'));

    const waiting = pass(replaced, late + day);
    assert.deepEqual(waiting, replaced);
    const settled = pass(replaced, late + day, { isServed: true });
    assert.deepEqual(certificatesIn(text(settled.server, 'ca.crt')), [current]);
    assert.equal(text(settled.server, 'tls.crt'), text(replaced.server, 'tls.crt'));
    assert.deepEqual(certificatesIn(text(pass(replaced, start + 3650 * day).ca, 'ca.crt')).length, 1, 'it has expired');
  });

  test('keep the former CA that only one of the Secrets has left', () => {
    const late = start + (3650 - 365) * day;
    for (const replaced of [pass({ server }), pass({ ca }, late)]) {
      assert.deepEqual(certificatesIn(text(replaced.server, 'ca.crt'))[1], text(ca, 'ca.crt'));
    }
  });

  test('never trust what is no CA, even if somebody has written it beside the CA', () => {
    const written = `${text(ca, 'ca.crt')}${text(other.server, 'tls.crt')}`;
    const after = pass({ ca: withText(ca, 'ca.crt', written), server });
    assert.equal(text(after.server, 'ca.crt'), text(ca, 'ca.crt'));
  });

  test('are due when the CA is, if that comes first', () => {
    const now = start + (3650 - 365 - 10) * day;
    assert.equal(planOf(pass({ ca }, now), now).dueAt, now + 10 * day);
  });
});

describe('certificates of somebody else', () => {
  const { ca, server } = pass();
  const authority = withText(ca, 'ca.key', '');

  test('are used when both Secrets are complete and the certificate leads to the CA', () => {
    assert.equal(externalProblem(authority, server), undefined);
  });

  for (const [name, caSecret, tlsSecret, problem] of [
    ['no CA', undefined, server, 'AuthorityMissing'],
    ['no server certificate', authority, undefined, 'ServerMissing'],
    ['an empty certificate', authority, withText(server, 'tls.crt', ''), 'ServerMissing'],
    ['no key', authority, withText(server, 'tls.key', ''), 'ServerMissing'],
    ['no CA beside the certificate', authority, withText(server, 'ca.crt', ''), 'ServerMissing'],
    ['another CA', pass().ca, server, 'Mismatch'],
    ['an unreadable certificate', authority, withText(server, 'tls.crt', 'x'), 'Mismatch'],
  ] as const) {
    test(`are not used with ${name}`, () => {
      assert.equal(externalProblem(caSecret, tlsSecret), problem);
    });
  }
});
