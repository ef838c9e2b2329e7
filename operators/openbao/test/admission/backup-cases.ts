// SPDX-License-Identifier: Apache-2.0
import { at, spec, type AdmissionCase } from './admission-case.ts';

const target = { endpoint: 'https://s3.example.com', bucket: 'snapshots', credentialsSecretRef: { name: 's3' } };
const whole = { schedule: '0 3 * * *', executorImage: 'e', jwtAuthRole: 'backup', target };
const backup = (change: object) => spec({ backup: { ...whole, ...change } });
const to = (change: object) => backup({ target: { ...target, ...change } });

const five = 'must have the five fields of cron: minute, hour, day of month, month, day of week';
const privateEndpoint = 'must be an http or https URL of a storage server, and not of the pod itself or its node';
const guarded = 'must not be a Secret of a cluster (-unseal-key, -root-token, -tls-ca, -tls-server)';

const scheduleCases = ['@daily', '0 3 * *', '0 0 3 * * *', ''].map((schedule): AdmissionCase => ({
  name: `the schedule "${schedule}"`,
  change: backup({ schedule }),
  corrected: backup({}),
  schema: ['spec.backup.schedule', five],
  policy: `spec.backup.schedule ${five}`,
}));

const endpoints = [
  'https://localhost:9000',
  'http://127.0.0.1',
  'http://127.1.2.3/x',
  'https://[::1]:443',
  'http://169.254.169.254/latest',
  'http://2130706433',
  'http://0x7f000001/',
  'http://LocalHost:9000',
  'http://s3.localhost./x',
  'http://localhost\\@s3.example.com',
  'http://%6cocalhost',
  'http://0.0.0.0',
  'http://0177.0.0.1',
  'http://169.16689662',
  'http://[0:0:0:0:0:0:0:1]',
  'http://[::FFFF:7f00:1]:9000',
  'http://[fe80::1]',
  's3.example.com',
  'ftp://s3.example.com',
  'https://user@s3.example.com',
];
/** Endpoints that are near to refused ones. */
const acceptedEndpoints = [
  'https://localhost.example.com',
  'http://127.example.com:9000',
  'https://10.0.0.1/s3?x=1',
  'https://0.pool.example.com',
  'http://[2001:db8::1]:9000/',
  'https://S3_store.Example.com.',
];

const endpointCases = endpoints.map((endpoint, index): AdmissionCase => ({
  name: `the endpoint ${endpoint}`,
  change: to({ endpoint }),
  corrected: to({ endpoint: acceptedEndpoints[index % acceptedEndpoints.length] }),
  schema: ['spec.backup.target.endpoint', privateEndpoint],
  policy: `spec.backup.target.endpoint ${privateEndpoint}`,
}));

const secretCases = ['-unseal-key', '-root-token', '-tls-ca', '-tls-server'].flatMap((suffix): AdmissionCase[] => {
  const wrong = { name: `demo${suffix}` };
  const right = { name: `demo${suffix}-copy` };
  const refused = (field: string, change: (ref: object) => object): AdmissionCase => ({
    name: `${field} demo${suffix}`,
    change: change(wrong),
    corrected: change(right),
    schema: [field, guarded],
    policy: `${field} ${guarded}`,
  });
  return [
    refused('spec.backup.tokenSecretRef.name', (tokenSecretRef) => backup({ tokenSecretRef })),
    refused('spec.backup.target.credentialsSecretRef.name', (credentialsSecretRef) => to({ credentialsSecretRef })),
    refused('spec.upgrade.tokenSecretRef.name', (tokenSecretRef) => at('upgrade', { tokenSecretRef })),
  ];
});

const nameCases = [
  ['spec.backup.tokenSecretRef.name', (name: string) => backup({ tokenSecretRef: { name } })],
  ['spec.backup.target.credentialsSecretRef.name', (name: string) => to({ credentialsSecretRef: { name } })],
] as const;

/** Snapshots. */
export const backupCases: readonly AdmissionCase[] = [
  ...scheduleCases,
  ...endpointCases,
  ...secretCases,
  ...nameCases.map(([field, change]): AdmissionCase => ({
    name: `${field} "No_Name"`,
    change: change('No_Name'),
    corrected: change('no-name'),
    schema: [field, 'must be the name of an object: lower-case letters, digits, - and .'],
  })),
  {
    name: 'snapshots without an executor',
    change: backup({ executorImage: '' }),
    corrected: backup({}),
    schema: ['spec.backup.executorImage', 'should be at least 1 chars long'],
    policy: 'spec.backup.executorImage is required',
  },
  {
    name: 'snapshots without credentials of OpenBao',
    change: backup({ jwtAuthRole: null }),
    corrected: backup({ jwtAuthRole: null, tokenSecretRef: { name: 't' } }),
    schema: ['spec.backup.jwtAuthRole', 'spec.backup needs jwtAuthRole or tokenSecretRef: set one of them'],
    policy: 'spec.backup needs jwtAuthRole or tokenSecretRef: set one of them',
  },
  {
    name: 'a snapshot before upgrades without credentials of OpenBao',
    change: backup({ jwtAuthRole: null, preUpgradeSnapshot: true }),
    corrected: backup({ preUpgradeSnapshot: true }),
    schema: [
      'spec.backup.preUpgradeSnapshot',
      'spec.backup needs jwtAuthRole or tokenSecretRef for preUpgradeSnapshot',
    ],
  },
  {
    name: 'snapshots without credentials of the storage server',
    change: to({ credentialsSecretRef: null }),
    corrected: to({ credentialsSecretRef: null, roleArn: 'arn:aws:iam::123456789012:role/backup' }),
    schema: ['spec.backup.target', 'spec.backup.target needs roleArn or credentialsSecretRef: set one of them'],
    policy: 'spec.backup.target needs roleArn or credentialsSecretRef: set one of them',
  },
  {
    name: 'snapshots that are kept for no time',
    change: backup({ retention: { maxAge: '0s' } }),
    corrected: backup({ retention: { maxAge: '1s' } }),
    schema: ['spec.backup.retention.maxAge', 'must be a duration such as 720h, 1h30m or 30s, greater than 0'],
  },
  {
    name: 'parts that are too small',
    change: to({ partSize: 5_242_879 }),
    corrected: to({ partSize: 5_242_880 }),
    schema: ['spec.backup.target.partSize', 'should be greater than or equal to 5242880'],
  },
  {
    name: 'too many parts at once',
    change: to({ concurrency: 11 }),
    corrected: to({ concurrency: 10 }),
    schema: ['spec.backup.target.concurrency', 'should be less than or equal to 10'],
  },
];
