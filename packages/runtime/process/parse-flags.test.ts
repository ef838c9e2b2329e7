// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minutes } from '../environment/duration.ts';
import { addressFlag, choiceFlag, booleanFlag, durationFlag, namesFlag, textFlag } from './flag.ts';
import { flagsHelp, parseFlags } from './parse-flags.ts';

const flags = {
  namespace: textFlag('watch this namespace only', 'name'),
  namespaces: namesFlag('watch these namespaces only'),
  podNamespace: textFlag('where it runs itself', 'name', { variable: 'POD' }),
  metricsBindAddress: addressFlag('where metrics are', { host: '127.0.0.1', port: 8080 }),
  leaderElect: booleanFlag('work only while leading', false),
  syncPeriod: durationFlag('how often all is looked at', minutes(10), '10m'),
  encoder: choiceFlag('how lines look', ['json', 'console'], 'json'),
};

describe('flags', () => {
  test('come from the command line first, then from the environment, then from their defaults', () => {
    const read = parseFlags(flags, ['--namespace', 'a', '--leader-elect', '--metrics-bind-address=[::1]:9'], {
      NAMESPACE: 'b',
      POD: 'c',
      SYNC_PERIOD: '1h1.5s',
      ENCODER: '',
      NAMESPACES: 'a, b,a',
    });
    assert.deepEqual(read, {
      namespace: 'a',
      namespaces: ['a', 'b'],
      podNamespace: 'c',
      metricsBindAddress: { host: '::1', port: 9 },
      leaderElect: true,
      syncPeriod: 3_601_500,
      encoder: 'json',
    });
  });

  test('can be switched off, and addresses can be on any interface or disabled', () => {
    assert.equal(parseFlags(flags, ['--leader-elect=false'], { LEADER_ELECT: 'true' }).leaderElect, false);
    assert.equal(parseFlags(flags, ['--metrics-bind-address=0'], {}).metricsBindAddress, undefined);
    assert.deepEqual(parseFlags(flags, ['--metrics-bind-address=:80'], {}).metricsBindAddress, { port: 80 });
  });

  for (const [args, message] of [
    [['--sync-period=10'], '--sync-period is "10", but must be a duration such as 90s, 10m or 1h30m'],
    [['--encoder', 'xml'], '--encoder is "xml", but must be one of json, console'],
    [['--leader-elect=maybe'], '--leader-elect is "maybe", but must be true or false'],
    [['--namespaces=a,,b'], '--namespaces is "a,,b", but must be names separated by commas, such as a,b'],
    [['--namespaces=A'], '--namespaces is "A", but must be names'],
    [['--metrics-bind-address=:99999'], '--metrics-bind-address is ":99999", but must be an address such as'],
    [['--namespace'], '--namespace needs a value: --namespace=<name>'],
    [['--name', 'a'], 'unknown flag --name; see --help'],
    [['help'], 'unknown flag help; see --help'],
  ] as const) {
    test(`${args.join(' ')} is rejected with a remedy`, () => {
      assert.throws(
        () => parseFlags(flags, args, {}),
        (error: Error) => error.message.startsWith(message),
      );
    });
  }

  test('an invalid variable is rejected by name', () => {
    assert.throws(() => parseFlags(flags, [], { SYNC_PERIOD: 'soon' }), {
      message: 'the variable SYNC_PERIOD is "soon", but must be a duration such as 90s, 10m or 1h30m',
    });
  });

  test('are listed with their defaults and variables', () => {
    const [asked, first, , , third] = flagsHelp(flags, { '-v, --version': 'tell the version' }).split('\n  --');
    assert.equal(asked, `  -v, --version${' '.repeat(21)}tell the version`);
    assert.equal(first, `namespace <name>${' '.repeat(16)}watch this namespace only\n${' '.repeat(36)}($NAMESPACE)`);
    assert.match(
      third ?? '',
      /metrics-bind-address <address> +where metrics are\n +\(default 127.0.0.1:8080; \$METRICS_BIND_ADDRESS\)/,
    );
  });
});
