// SPDX-License-Identifier: Apache-2.0
// Compares the answers of real servers with the recorded ones, which the fake is compared with in `npm test`;
// `RECORD=1` records them.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { realServers } from './real-servers.ts';
import { recordedAnswers, recordOf, suites, versions } from './recorded-answers.ts';
import { runSuite } from './run-suite.ts';

const isRecording = process.env['RECORD'] === '1';

describe('a real OpenBao answers as recorded', { concurrency: true }, () => {
  for (const version of versions) {
    test(version, async () => {
      const runs = Object.entries(suites).map(async ([name, suite]) => {
        await using servers = await realServers(version, suite);
        return [name, await runSuite(suite, servers)] as const;
      });
      const answers = Object.fromEntries(await Promise.all(runs));
      if (isRecording) await writeFile(recordOf(version), `${JSON.stringify(answers, null, 2)}\n`);
      assert.deepEqual(answers, recordedAnswers(version));
    });
  }
});
