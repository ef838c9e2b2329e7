// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fakeServers } from './fake-servers.ts';
import { recordedAnswers, suites, versions } from './recorded-answers.ts';
import { runSuite } from './run-suite.ts';

const least = 60;

for (const version of versions) {
  describe(`a fake OpenBao ${version} answers as the real one`, () => {
    for (const [name, suite] of Object.entries(suites)) {
      const recorded = recordedAnswers(version)[name] ?? {};
      test(`${name}: ${Object.keys(recorded).length} exchanges`, async () => {
        const answers = await runSuite(suite, fakeServers(version, suite));
        for (const [shows, answer] of Object.entries(recorded)) assert.deepEqual(answers[shows], answer, shows);
        assert.deepEqual(Object.keys(answers), Object.keys(recorded));
      });
    }

    test(`there are at least ${least} exchanges`, () => {
      const all = Object.values(recordedAnswers(version)).flatMap((answers) => Object.keys(answers));
      assert.ok(all.length >= least, `${all.length}`);
    });
  });
}
