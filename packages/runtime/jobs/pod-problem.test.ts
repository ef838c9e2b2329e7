// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContainerStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { SecretValue } from '../secrets/secret-value.ts';
import { areStuck, haveNeverRun, podProblem } from './pod-problem.ts';

const pod = (status: Partial<ContainerStatus>, creationTimestamp = '2026-01-01T00:00:00Z'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'keystone-1', creationTimestamp },
  status: {
    containerStatuses: [{ name: 'api', image: 'keystone:1', imageID: '', ready: false, restartCount: 0, ...status }],
  },
});

const failed = (message: string) => ({ state: { terminated: { exitCode: 1, message } } });

/** How oslo.log writes an exception: every line with a prefix, the last one empty. */
const osloTraceback = [
  'Traceback (most recent call last):',
  '  File "/venv/bin/keystone-manage", line 8, in <module>',
  `oslo_db.exception.DBConnectionError: (2003, "Can't connect to MySQL server on 'mraiadb.openstack.svc'")`,
  '(Background on this error at: https://sqlalche.me/e/20/e3q8)',
  '',
]
  .map((line) => `2026-11-15 23:48:41.094 1 ERROR keystone ${line}`)
  .join('\n');

/** How uWSGI ends because an application cannot be loaded, when the log had no room for its error. */
const uwsgiEnd = [
  '2026-11-16 16:20:35.220 2 ERROR keystone KeyboardInterrupt',
  "unable to load app 0 (mountpoint='') (callable not found or import error)",
  '*** no app loaded. GAME OVER ***',
  'OOPS ! failed loading app in worker 1 (pid 2)',
  'Mon Nov 16 16:20:36 2026 - need-app requested, destroying the instance...',
  'SIGINT/SIGTERM received...killing workers...',
  'gateway "uWSGI http 1" has been buried (pid: 4)',
  'goodbye to uWSGI.',
].join('\n');

/** What OpenBao 2.7.2 printed when it was started with these mistakes; without what is the same each time. */
const openBaoStart =
  '2026-11-18T15:59:08.221Z [INFO]  proxy environment: http_proxy="" https_proxy="" no_proxy=""\n' +
  '2026-11-18T15:59:08.261Z [INFO]  core: Initializing version history cache for core\n';
const openBaoBanner = `
==> OpenBao server configuration:

             Api Address: http://127.0.0.1:8200
               Auto Seal: static (builtin: true, current_key_id: "x")
                 Storage: raft (HA available)

==> OpenBao server started!
2026-11-18T15:59:22.827Z [INFO]  core: stored unseal keys supported, attempting fetch
`;
const wrongKey =
  'failed to unseal core: error="fetching stored unseal keys failed: invalid key: failed to decrypt keys from storage"';

describe('the problem of pods', () => {
  for (const [what, status, text] of [
    ['none', { state: { running: {} } }, undefined],
    ['a pod that is being made', { state: { waiting: { reason: 'ContainerCreating' } } }, undefined],
    ['a container that ended well', { state: { terminated: { exitCode: 0, reason: 'Completed' } } }, undefined],
    [
      'an image that cannot be pulled',
      { state: { waiting: { reason: 'ErrImagePull', message: 'rpc error' } } },
      'ImagePullBackOff: image "keystone:1" cannot be pulled',
    ],
    [
      'a missing key',
      { state: { waiting: { reason: 'CreateContainerConfigError', message: `couldn't find key password` } } },
      `CreateContainerConfigError: couldn't find key password`,
    ],
    [
      'a container that ends again and again',
      {
        state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s restarting pod=keystone-1' } },
        lastState: { terminated: { exitCode: 1, message: 'Traceback\nConnectionError: no route\n' } },
      },
      'CrashLoopBackOff: ConnectionError: no route',
    ],
    [
      'a container that was restarted again and has not ended yet: the text does not alternate',
      {
        restartCount: 3,
        state: { running: {} },
        lastState: { terminated: { exitCode: 1, reason: 'Error', message: 'ConnectionError: no route\n' } },
      },
      'CrashLoopBackOff: ConnectionError: no route',
    ],
    [
      'no container that is ready, whatever happened to it before',
      {
        ready: true,
        restartCount: 1,
        state: { running: {} },
        lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
      },
      undefined,
    ],
    [
      'a program that logs its exception line by line, with times',
      failed(osloTraceback),
      `Error: oslo_db.exception.DBConnectionError: (2003, "Can't connect to MySQL server on 'mraiadb.openstack.svc'")`,
    ],
    [
      'a program that logs one line with a time',
      failed('2026-11-15 23:48:41.094 1 CRITICAL keystone [None req-1 - - - - - -] Unhandled error\n'),
      'Error: Unhandled error',
    ],
    [
      'uWSGI, which takes many words to end',
      failed(uwsgiEnd),
      "Error: unable to load app 0 (mountpoint='') (callable not found or import error)",
    ],
    [
      'an OpenBao whose configuration cannot be parsed',
      failed('error loading configuration from c.hcl: At 1:29: object expected closing RBRACE got: EOF\n'),
      'Error: error loading configuration from c.hcl: At 1:29: object expected closing RBRACE got: EOF',
    ],
    [
      'an OpenBao whose storage cannot be opened, whatever it logs after that',
      failed(`error initializing storage of type raft: mkdir /bao: permission denied\n${openBaoStart}`),
      'Error: error initializing storage of type raft: mkdir /bao: permission denied',
    ],
    [
      'an OpenBao without a certificate',
      failed(
        `${openBaoStart}Error parsing listener configuration.\nError initializing listener of type tcp: error loading TLS cert\n`,
      ),
      'Error: Error initializing listener of type tcp: error loading TLS cert',
    ],
    [
      'an OpenBao that says what is missing without the word error',
      failed(`cluster address must be set when using raft storage\n${openBaoStart}`),
      'Error: cluster address must be set when using raft storage',
    ],
    [
      'an OpenBao that logs an error: not what it logs besides',
      failed(
        `${openBaoBanner}2026-11-18T15:59:30.705Z [ERROR] core: failed to retry join raft cluster: retry=2s err="failed to get raft challenge"
2026-11-18T15:59:32.706Z [INFO]  core: security barrier not initialized
==> OpenBao shutdown triggered
`,
      ),
      'Error: core: failed to retry join raft cluster: retry=2s err="failed to get raft challenge"',
    ],
    [
      'an OpenBao that logs in JSON',
      failed(
        '{"@level":"error","@message":"failed to retry join raft cluster","@module":"core","@timestamp":"2026-11-18T16:00:18.414016Z","err":"failed to get raft challenge","retry":"2s"}\n' +
          '{"@level":"info","@message":"security barrier not initialized","@module":"core","@timestamp":"2026-11-18T16:00:19.414016Z"}\n',
      ),
      'Error: core: failed to retry join raft cluster: err="failed to get raft challenge" retry="2s"',
    ],
    [
      'an OpenBao whose last record in JSON was cut off',
      failed('{"@level":"error","@message":"failed to unseal","@module":"core"}\n{"@level":"info","@mess'),
      'Error: core: failed to unseal',
    ],
    [
      'an OpenBao that cannot unseal, which is a warning because it tries again',
      failed(
        `${openBaoBanner}2026-11-18T15:59:22.827Z [WARN]  ${wrongKey}\n2026-11-18T15:59:23.752Z [WARN]  no \`api_addr\` value\n`,
      ),
      `Error: ${wrongKey}`,
    ],
    [
      'an OpenBao whose error has several lines',
      failed(
        [
          '2026-11-18T15:59:21.559Z [ERROR] failed to initialize:',
          '  error=',
          '  | initialize.[identity (0)]: failed to evaluate request: 1 error occurred:',
          String.raw`  | \t* unsupported path`,
          '  | ',
          '  ',
          'initialize.[identity (0)]: failed to evaluate request: 1 error occurred:',
          '\t* unsupported path',
        ].join('\n'),
      ),
      'Error: failed to initialize: error=initialize.[identity (0)]: failed to evaluate request: 1 error occurred: * unsupported path',
    ],
    ['an OpenBao that was killed while all was well', failed(openBaoStart + openBaoBanner), 'Error: exit code 1'],
    ['a log of nothing but a prefix', failed('2026-11-15 23:48:41.094 1 ERROR keystone \n'), 'Error: exit code 1'],
    [
      'a container that failed without a word',
      { state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } },
      'OOMKilled: exit code 137',
    ],
  ] as const) {
    test(`is reported for ${what}`, () => assert.equal(podProblem([pod(status)]), text));
  }

  test('is that of the newest pod that has some', () => {
    const pods = [
      pod(failed('old')),
      pod(failed('new'), '2026-01-02T00:00:00Z'),
      pod({ state: { running: {} } }, '2026-01-03T00:00:00Z'),
    ];
    assert.equal(podProblem(pods), 'Error: new');
  });

  test('shows no known secret', () => {
    const text = podProblem([pod(failed('cannot log in with hunter22'))], [new SecretValue('hunter22')]);
    assert.equal(text, 'Error: cannot log in with [redacted]');
  });

  test('is not changed by a secret that is empty', () => {
    assert.equal(podProblem([pod(failed('no route'))], [new SecretValue('')]), 'Error: no route');
  });

  test('includes unschedulable pods, which are stuck', () => {
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no nodes' }];
    const waiting: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, status: { conditions } };
    assert.equal(podProblem([waiting]), 'Unschedulable: no nodes');
    assert.equal(areStuck([waiting]), true);
  });

  test('does not mean stuck while one container runs', () => {
    const stuck = pod({ state: { waiting: { reason: 'CrashLoopBackOff' } } });
    assert.equal(areStuck([stuck]), true);
    assert.equal(areStuck([stuck, pod({ state: { running: {} } })]), false);
    const containerStatuses = [stuck, pod({ state: { running: {} } })].flatMap(
      ({ status }) => status?.containerStatuses ?? [],
    );
    assert.equal(areStuck([{ ...stuck, status: { containerStatuses } }]), false);
  });

  test('means stuck also when an earlier pod has failed', () => {
    const earlier = pod(failed('no route'));
    const over: Pod = { ...earlier, status: { ...earlier.status, phase: 'Failed' } };
    const stuck = pod({ state: { waiting: { reason: 'ImagePullBackOff' } } });
    assert.equal(areStuck([over, stuck]), true);
    assert.equal(areStuck([over]), true);
    assert.equal(areStuck([over, pod({ state: { running: {} } })]), false);
    assert.equal(areStuck([over, pod({ state: { waiting: { reason: 'ContainerCreating' } } })]), false);
  });
});

describe('pods whose containers have never run', () => {
  for (const [what, status, expected] of [
    ['wait for their image', { state: { waiting: { reason: 'ImagePullBackOff' } } }, true],
    ['wait for their configuration', { state: { waiting: { reason: 'CreateContainerConfigError' } } }, true],
    ['are being made', { state: { waiting: { reason: 'ContainerCreating' } } }, false],
    ['run', { state: { running: {} } }, false],
    ['have ended', failed('no'), false],
    ['wait for their image again', { state: { waiting: { reason: 'ErrImagePull' } }, restartCount: 1 }, false],
  ] as const) {
    test(`are ${expected ? '' : 'not '}those that ${what}`, () => assert.equal(haveNeverRun([pod(status)]), expected));
  }
});
