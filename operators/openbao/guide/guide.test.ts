// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { engineConditions } from '@forge/runtime/conditions/engine-cases.ts';
import { desiredStatus } from '@forge/runtime/conditions/readiness.ts';
import { passMetricsOf } from '@forge/runtime/engine/engine-metrics.ts';
import { metricPrefix } from '../api/names.ts';
import { capabilitiesOf, tokenCalls } from '../clients/token-calls.ts';
import { backupMetrics } from '../conditions/backup-metrics.ts';
import { openbaoConditions } from '../conditions/condition-catalog.ts';
import { clusterPhase, readyReplicas } from '../conditions/summary.ts';
import { certificateExpiry, certificateRotations } from '../conditions/tls.ts';
import { upgradeMetrics } from '../conditions/upgrade-metrics.ts';
import { guidePages } from '../test/real/guide-commands.ts';

const cases = [...engineConditions(openbaoConditions.ready), ...openbaoConditions.conditions];
const sorted = (texts: readonly string[]) => [...new Set(texts)].toSorted();

const page = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

/** The names in the first column of the tables. */
const namedIn = (text: string) => text.split('\n').flatMap((line) => /^\| `(\w+)` +\|/.exec(line)?.[1] ?? []);

describe('the guide', () => {
  test('explains every reason of a condition that is not as it should be, and no other', async () => {
    const unmet = cases.filter((each) => each.status !== desiredStatus(each)).map(({ reason }) => reason);
    assert.deepEqual(sorted(namedIn(await page('troubleshoot.md'))), sorted(unmet));
  });

  test('lists every condition, and no other', async () => {
    const types = openbaoConditions.conditions.map(({ type }) => type);
    const listed = namedIn(await page('first-cluster.md'));
    assert.deepEqual(sorted(listed), sorted(types));
  });

  test('explains every reason of BackingUp, and no other', async () => {
    const reasons = openbaoConditions.conditions.filter(({ type }) => type === 'BackingUp');
    const listed = namedIn(await page('backup.md'));
    assert.deepEqual(sorted(listed), sorted(reasons.map(({ reason }) => reason)));
  });

  test('lists every permission with who has it, and no other', async () => {
    const rows = (await page('credentials.md')).split('\n').filter((line) => line.startsWith('| `sys/'));
    const listed = rows.map((row) =>
      row
        .split('|')
        .slice(1, 5)
        .map((cell) => cell.replaceAll('`', '').trim()),
    );
    const granted = Object.values(tokenCalls).filter(({ by }) => by.length > 0);
    const expected = granted.map((call) => [
      call.path,
      capabilitiesOf(call).join(', '),
      call.by.includes('rolling') ? 'yes' : 'with blue/green',
      call.by.includes('backup') ? 'yes' : '',
    ]);
    assert.deepEqual(listed, expected);
  });

  test('lists every metric, and no other', async () => {
    const { duration, errors } = passMetricsOf(metricPrefix);
    const backups = [...Object.values(backupMetrics), ...Object.values(upgradeMetrics)];
    const metrics = [
      readyReplicas,
      clusterPhase,
      certificateExpiry,
      certificateRotations,
      duration,
      errors,
      ...backups,
    ];
    assert.deepEqual(sorted(namedIn(await page('monitor.md'))), sorted(metrics.map(({ name }) => name)));
  });

  test('has no page whose commands are not run', async () => {
    const files = await readdir(new URL('.', import.meta.url));
    const pages = files.filter((file) => file.endsWith('.md') && file !== 'README.md');
    const withCommands: string[] = [];
    for (const file of pages) if (/^ *```|`kubectl /m.test(await page(file))) withCommands.push(file);
    assert.deepEqual(withCommands.toSorted(), [...guidePages].toSorted());
  });
});
