// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { openbaoFixture } from '@forge/openbao/test/openbao-fixture.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import { httpServer } from '@forge/testing/programs/loopback-server.ts';
import { seedClusterCommand } from './seed-cluster-command.ts';
import { seedHelp, seedLines } from './seed-lines.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
const issuer = 'https://kubernetes.default.svc.cluster.local';

/** An API server and an OpenBao that is empty, at one address. */
describe('forge seed --openbao-cluster', () => {
  const validity = { now: Date.now(), validDays: 1 };
  const authority = certificateAuthority({ ...validity, name: 'test' });
  const tls = issueServerCertificate(authority, { ...validity, names: ['localhost'], addresses: ['127.0.0.1'] });
  const written: Record<string, unknown> = {};
  const tokens = new Set<unknown>();
  let spec: Parameters<typeof openbaoFixture>[0] = {};
  let folder = '';
  let url = '';
  let stop: () => PromiseLike<void>;

  const inFolder = async (name: string, content: string) => {
    const file = join(folder, name);
    await writeFile(file, content);
    return file;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-seed-'));
    const server = await httpServer(async (request, response) => {
      const { url: path = '', method } = request;
      const answer = (status: number, body?: unknown) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(body === undefined ? undefined : JSON.stringify(body));
      };
      const body = await text(request);
      if (path.startsWith('/v1/')) {
        tokens.add(request.headers['x-vault-token']);
        if (request.headers['x-vault-token'] === 's.secret-other')
          return answer(403, { errors: ['permission denied'] });
        if (path === '/v1/sys/auth') return answer(200, { data: {} });
        if (path === '/v1/sys/capabilities-self') {
          const { paths } = JSON.parse(body) as { paths: string[] };
          return answer(200, { data: Object.fromEntries(paths.map((each) => [each, ['root']])) });
        }
        if (method === 'GET') return answer(404, { errors: [] });
        written[path.slice('/v1/'.length)] = JSON.parse(body);
        return answer(204);
      }
      const objects: Readonly<Record<string, unknown>> = {
        '/apis/openbao.org/v1alpha1/namespaces/default/openbaoclusters/demo': openbaoFixture(spec),
        '/api/v1/namespaces/default/secrets/demo-tls-ca': { data: { 'ca.crt': btoa(authority.cert) } },
        '/.well-known/openid-configuration': { issuer },
        '/openid/v1/jwks': { keys: [publicKey.export({ format: 'jwk' })] },
      };
      const found = objects[path];
      const none = { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404, message: 'not found' };
      return answer(found === undefined ? 404 : 200, found ?? none);
    }, tls);
    url = server.url;
    stop = () => server[Symbol.asyncDispose]();
    const cluster = { server: url, 'certificate-authority-data': btoa(authority.cert) };
    const kubeconfig = {
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user: { token: 'admin' } }],
    };
    environment['KUBECONFIG'] = await inFolder('kubeconfig', JSON.stringify(kubeconfig));
    environment['BAO_ADDR'] = url;
  });
  after(async () => {
    await stop();
    await rm(folder, { recursive: true });
  });

  const environment: Record<string, string> = { BAO_TOKEN: 's.secret' };
  const options = { namespace: 'default', openbaoCluster: 'demo' };

  /** The configuration that is written with these options, without what is empty. */
  const configOf = async (more: object) => {
    await seedClusterCommand({ ...options, ...more }, environment);
    const config = Object.entries(written['auth/jwt/config'] as Record<string, unknown>);
    return Object.fromEntries(config.filter(([, value]) => value !== '' && String(value) !== ''));
  };

  /** The command must fail with this text, which never has the token. */
  const failing = (more: object, said: RegExp, variables: object = {}) =>
    assert.rejects(seedClusterCommand({ ...options, ...more }, { ...environment, ...variables }), (error: Error) => {
      assert.match(error.message, said);
      assert.doesNotMatch(error.message, /s\.secret/);
      return true;
    });

  test('sets up its OpenBao with the keys of the API server and the CA of the cluster, and says what remains', async () => {
    spec = { upgrade: { jwtAuthRole: 'upgrades' } };
    const lines = await seedLines(options, environment);
    assert.deepEqual(lines, [
      'sys/auth/jwt  written',
      'auth/jwt/config  written',
      'sys/policies/acl/openbao-operator-upgrade  written',
      'sys/policies/acl/openbao-operator-backup  written',
      'auth/jwt/role/upgrades  written',
      'auth/jwt/role/backup  written',
      'To use it, set spec.backup.jwtAuthRole to "backup".',
    ]);
    const { bound_issuer: bound, jwt_validation_pubkeys: keys } = written['auth/jwt/config'] as Record<string, unknown>;
    assert.deepEqual([bound, keys], [issuer, [pem]]);
    assert.deepEqual([...tokens], ['s.secret']);
  });

  test('lets flags say where the keys come from', async () => {
    const ca = await inFolder('issuer.crt', authority.cert);
    const jwksUrl = 'https://issuer.example/jwks';
    assert.deepEqual(await configOf({ jwksUrl, issuerCaFile: ca }), {
      bound_issuer: issuer,
      jwks_url: jwksUrl,
      jwks_ca_pem: authority.cert,
    });
    const oidcDiscoveryUrl = 'https://issuer.example';
    assert.deepEqual(await configOf({ oidcDiscoveryUrl }), {
      bound_issuer: issuer,
      oidc_discovery_url: oidcDiscoveryUrl,
    });
    for (const content of [pem, JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] })]) {
      const jwtKeys = await inFolder('keys', content);
      assert.deepEqual(await configOf({ jwtKeys }), { bound_issuer: issuer, jwt_validation_pubkeys: [pem] });
    }
  });

  const usage: readonly [what: string, more: object, said: RegExp][] = [
    ['a Keystone besides', { keystone: 'ks' }, /^Name one of --keystone, --control-plane and --openbao-cluster\.$/],
    ['a KV mount', { mount: 'kv' }, /^--mount "kv": .* Leave it out\.$/],
    ['a namespace that cannot be', { namespace: 'A' }, /^--namespace "A": .* Name the namespace of the resource\.$/],
    [
      'a name that cannot be',
      { openbaoCluster: '1a' },
      /^--openbao-cluster "1a": a name has at most 35 .* give that of/,
    ],
    [
      'a name that is too long',
      { openbaoCluster: 'a'.repeat(36) },
      /^--openbao-cluster "a{36}": a name has at most 35/,
    ],
    [
      'two sources of keys',
      { jwtKeys: 'a', jwksUrl: 'b' },
      /^Name one of --jwt-keys, --jwks-url and --oidc-discovery-/,
    ],
    ['keys without TLS', { jwksUrl: 'http://x' }, /^--jwks-url "http:\/\/x": is not an https URL: whoever answers/],
    ['an issuer that is no URL', { oidcDiscoveryUrl: 'x' }, /^--oidc-discovery-url "x": is not an https URL/],
    ['an authority of nothing', { issuerCaFile: 'x' }, /^--issuer-ca-file has no effect without --jwks-url or/],
    ['keys that are missing', { jwtKeys: '/no/keys' }, /^--jwt-keys "\/no\/keys": it cannot be read: ENOENT/],
    [
      'a file without keys',
      { jwtKeys: '/dev/null' },
      /^--jwt-keys "\/dev\/null": it holds no public key\. Give public/,
    ],
    ['no kubeconfig', { kubeconfig: '' }, /^No cluster: .* Name a kubeconfig with --kubeconfig\.$/],
    [
      'a kubeconfig that is missing',
      { kubeconfig: '/no/config' },
      /\/no\/config.* Name a kubeconfig with --kubeconfig/,
    ],
  ];
  for (const [what, more, said] of usage) {
    test(`rejects ${what} as a wrong command line`, async () => {
      const call = seedClusterCommand({ ...options, ...more }, environment);
      await assert.rejects(call, (error: Error & { code: number }) => {
        assert.match(error.message, said);
        assert.equal(error.code, 2);
        return true;
      });
    });
  }

  test('refuses a private key in the place of a public one', async () => {
    const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const jwtKeys = await inFolder('private', secret);
    const call = seedClusterCommand({ ...options, jwtKeys }, environment);
    await assert.rejects(call, /--jwt-keys .*: it holds a private key, which must not leave its place\./);
  });

  test('names what is wrong in the world before it writes anything', async () => {
    for (const path of Object.keys(written)) delete written[path];
    await failing(
      { openbaoCluster: 'demos' },
      /^--openbao-cluster "demos": there is no OpenBaoCluster of this name in the namespace "default"\. kubectl get/,
    );
    await failing(
      { address: 'https://127.0.0.1:1' },
      /^OpenBao at https:\/\/127\.0\.0\.1:1: .*cannot connect .*\n.*kubectl port-forward/,
    );
    await failing({}, /^\$BAO_TOKEN is not set/, { BAO_TOKEN: '' });
    await failing(
      {},
      /^GET sys\/auth: Code: 403\. .*\nThe token of \$BAO_TOKEN is wrong, has expired, or .* administrator\.$/,
      { BAO_TOKEN: 's.secret-other' },
    );
    spec = { upgrade: { jwtAuthRole: 'a/b' } };
    await failing({}, /^spec\.upgrade\.jwtAuthRole "a\/b": a role has letters, .* Correct the OpenBaoCluster\.$/);
    spec = { upgrade: { jwtAuthRole: 'Backup' } };
    await failing({}, /^spec\.upgrade\.jwtAuthRole and spec\.backup\.jwtAuthRole are both "Backup", .* two names/);
    assert.deepEqual(written, {});
  });

  test('refuses its options for other resources, and explains itself', async () => {
    for (const [option, flag] of [
      ['replace', '--replace'],
      ['jwksUrl', '--jwks-url'],
    ] as const) {
      const call = seedLines({ namespace: 'default', keystone: 'ks', [option]: 'x' }, environment);
      await assert.rejects(call, new RegExp(`${flag} has no effect without --openbao-cluster`));
    }
    for (const named of ['--jwks-url', '--oidc-discovery-url', '--replace', 'spec.backup.jwtAuthRole'])
      assert.ok(seedHelp.includes(named), named);
  });
});
