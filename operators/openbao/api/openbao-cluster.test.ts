// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { fieldsOf } from '@forge/kube/schema/fields-of.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { admissionCluster } from '@forge/testing/admission-cluster.ts';
import { completeCluster } from '../test/complete-cluster.ts';
import { completeStatus } from '../test/complete-status.ts';
import { home, openbaoFixture } from '../test/openbao-fixture.ts';
import { OpenBaoCluster } from './openbao-cluster.ts';

const crd = crdOf(OpenBaoCluster);
const [version] = crd.spec.versions;
const schema = version?.schema?.openAPIV3Schema as Schema;

/** The fields that have this keyword, and its values; those of NetworkPolicies are Kubernetes' own. */
const specified = (keyword: 'default' | 'minimum' | 'maximum' | 'enum') =>
  Object.fromEntries(
    [...fieldsOf(schema)]
      .filter(([path, field]) => field[keyword] !== undefined && !path.includes('gressRules'))
      .map(([path, field]) => [path, field[keyword]]),
  );
const cluster = () => admissionCluster({ kinds: [OpenBaoCluster], namespaces: [] });

describe('the kind OpenBaoCluster', () => {
  test('explains every field', () => {
    const unexplained = [...fieldsOf(schema)]
      .filter(([, { description = '' }]) => !/^[A-Za-z"].*[.]$/s.test(description))
      .map(([path, { description }]) => `${path}: ${description}`);
    assert.deepEqual(unexplained, []);
  });

  test('is kept as it was written', async () => {
    const whole = completeCluster();
    assert.deepEqual(
      Object.keys(whole.spec).toSorted(),
      Object.keys(version?.schema?.openAPIV3Schema?.properties?.['spec']?.properties ?? {}).toSorted(),
    );
    await using server = await cluster();
    assert.deepEqual((await server.client.create(OpenBaoCluster, whole)).spec, whole.spec);
  });

  test('needs only a version, a size and a rotation period; the rest has defaults', async () => {
    const spec = { version: '2.7.2', tls: { rotationPeriod: '720h' }, storage: { size: '1Gi' } };
    const least = { ...openbaoFixture(), spec: spec as OpenBaoCluster['spec'] };
    await using server = await cluster();
    assert.deepEqual((await server.client.create(OpenBaoCluster, least)).spec, openbaoFixture().spec);
    // Where the block is given, what is in it has defaults, too.
    const unseal = { static: {} } as unknown as OpenBaoCluster['spec']['unseal'];
    const patched = await server.client.patch(OpenBaoCluster, home, 'merge', { spec: { unseal } });
    assert.deepEqual(patched.spec.unseal, {
      type: 'static',
      static: { currentKey: 'file:///etc/bao/unseal/key', currentKeyID: 'operator-generated-v1' },
    });
  });

  test('has the defaults that its specification gives, also within blocks', () => {
    assert.deepEqual(specified('default'), {
      '.spec.replicas': 3,
      '.spec.paused': false,
      '.spec.tls.enabled': true,
      '.spec.tls.mode': 'OperatorManaged',
      '.spec.service.type': 'ClusterIP',
      '.spec.ingress.enabled': false,
      '.spec.ingress.path': '/',
      '.spec.network.dnsNamespace': 'kube-system',
      '.spec.unseal': { type: 'static' },
      '.spec.unseal.type': 'static',
      '.spec.unseal.static.currentKey': 'file:///etc/bao/unseal/key',
      '.spec.unseal.static.currentKeyID': 'operator-generated-v1',
      '.spec.imageVerification.enabled': false,
      '.spec.imageVerification.failurePolicy': 'Block',
      '.spec.imageVerification.ignoreTlog': false,
      '.spec.updateStrategy': { type: 'RollingUpdate' },
      '.spec.updateStrategy.type': 'RollingUpdate',
      '.spec.updateStrategy.blueGreen.autoPromote': true,
      '.spec.backup.preUpgradeSnapshot': false,
      '.spec.backup.retention.maxCount': 0,
      '.spec.backup.target.region': 'us-east-1',
      '.spec.backup.target.usePathStyle': false,
      '.spec.backup.target.partSize': 10_485_760,
      '.spec.backup.target.concurrency': 3,
      '.spec.deletionPolicy': 'Retain',
      '.spec.initContainer.enabled': true,
    });
  });

  test('has the bounds and the choices that its specification gives', () => {
    assert.deepEqual(specified('minimum'), {
      '.spec.replicas': 1,
      '.spec.backup.retention.maxCount': 0,
      '.spec.backup.target.partSize': 5_242_880,
      '.spec.backup.target.concurrency': 1,
      '.spec.telemetry.maximumGaugeCardinality': 0,
      '.spec.telemetry.numLeaseMetricsBuckets': 0,
    });
    assert.deepEqual(specified('maximum'), { '.spec.backup.target.concurrency': 10 });
    assert.deepEqual(specified('enum'), {
      '.spec.tls.mode': ['OperatorManaged', 'External', 'ACME'],
      '.spec.service.type': ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'],
      '.spec.unseal.type': ['static', 'awskms', 'gcpckms', 'azurekeyvault', 'transit', 'kmip', 'ocikms', 'pkcs11'],
      '.spec.unseal.ocikms.authType': ['instance_principal', 'user_principal'],
      '.spec.unseal.pkcs11.rsaOAEPHash': ['sha1', 'sha224', 'sha256', 'sha384', 'sha512'],
      '.spec.imageVerification.failurePolicy': ['Block', 'Warn'],
      '.spec.updateStrategy.type': ['RollingUpdate', 'BlueGreen'],
      '.spec.deletionPolicy': ['Retain', 'DeletePVCs', 'DeleteAll'],
      '.spec.audit[].type': ['file', 'syslog', 'socket', 'http'],
      '.spec.plugins[].type': ['secret', 'auth', 'database', 'kms'],
      '.status.phase': ['Initializing', 'Running', 'Upgrading', 'BackingUp', 'Failed'],
      '.status.backup.preUpgrade.result': ['Succeeded', 'Failed'],
      '.status.upgrade.strategy': ['Partition', 'OnDelete'],
      '.status.upgrade.step': [
        'Lock',
        'LeaderCheck',
        'StepDown',
        'Transfer',
        'Release',
        'Ready',
        'Health',
        'RaftSync',
        'Finish',
      ],
      '.status.blueGreen.phase': [
        'Idle',
        'DeployingGreen',
        'JoiningMesh',
        'Syncing',
        'Promoting',
        'DemotingBlue',
        'Cleanup',
      ],
    });
  });

  test('needs of every block what its specification says', () => {
    const required = Object.fromEntries(
      [...fieldsOf(schema)].flatMap(([path, field]) =>
        path.startsWith('.spec') && field.required !== undefined && !path.includes('gressRules')
          ? [
              [
                path,
                field.required.filter((name) => field.properties?.[name]?.default === undefined).toSorted(),
              ] as const,
            ]
          : [],
      ),
    );
    assert.deepEqual(Object.fromEntries(Object.entries(required).filter(([, names]) => names.length > 0)), {
      '.spec': ['storage', 'tls', 'version'],
      '.spec.tls.acme': ['directoryURL'],
      '.spec.storage': ['size'],
      '.spec.ingress': ['host'],
      '.spec.unseal.credentialsSecretRef': ['name'],
      '.spec.unseal.transit': ['address', 'keyName', 'mountPath'],
      '.spec.unseal.awskms': ['kmsKeyID', 'region'],
      '.spec.unseal.azureKeyVault': ['keyName', 'vaultName'],
      '.spec.unseal.gcpCloudKMS': ['cryptoKey', 'keyRing', 'project', 'region'],
      '.spec.unseal.kmip': ['address', 'certificate', 'key', 'kmsKeyID'],
      '.spec.unseal.ocikms': ['cryptoEndpoint', 'keyID', 'managementEndpoint'],
      '.spec.unseal.pkcs11': ['keyLabel', 'lib'],
      '.spec.imageVerification.imagePullSecrets[]': ['name'],
      '.spec.upgrade.tokenSecretRef': ['name'],
      '.spec.backup': ['executorImage', 'schedule', 'target'],
      '.spec.backup.tokenSecretRef': ['name'],
      '.spec.backup.target': ['bucket', 'endpoint'],
      '.spec.backup.target.credentialsSecretRef': ['name'],
      '.spec.audit[]': ['path', 'type'],
      '.spec.audit[].file': ['filePath'],
      '.spec.audit[].http': ['uri'],
      '.spec.audit[].socket': ['address'],
      '.spec.plugins[]': ['name', 'sha256sum', 'type'],
    });
  });

  test('keeps every field of its status', async () => {
    await using server = await cluster();
    await server.client.create(OpenBaoCluster, openbaoFixture());
    const status = completeStatus();
    const written = await server.client.patch(OpenBaoCluster, home, 'merge', { status }, { subresource: 'status' });
    assert.deepEqual(written.status, status);
  });

  test('has short names, a status and columns', () => {
    assert.deepEqual(crd.spec.names.shortNames, ['bao', 'baoc']);
    assert.deepEqual(version?.subresources, { status: {} });
    assert.deepEqual(
      version.additionalPrinterColumns?.map(({ name, jsonPath, priority = 0 }) => [name, jsonPath, priority]),
      [
        ['Phase', '.status.phase', 0],
        ['Version', '.status.currentVersion', 0],
        ['Ready', '.status.readyReplicas', 0],
        ['Desired', '.spec.replicas', 0],
        ['Leader', '.status.activeLeader', 1],
        ['Age', '.metadata.creationTimestamp', 0],
      ],
    );
  });
});
