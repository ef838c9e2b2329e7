// SPDX-License-Identifier: Apache-2.0
// Node's TAP output, followed by lines that name each failed test and its file: `# failed: FILE:LINE NAME`.
import { relative } from 'node:path';
import { tap, type TestEvent } from 'node:test/reporters';

type TestEvents = AsyncGenerator<TestEvent, void>;

// oxlint-disable-next-line import/no-default-export -- Node imports a reporter by its default export.
export default async function* testReporter(source: TestEvents): AsyncGenerator<string> {
  const failed: string[] = [];
  yield* tap(observeFailures(source, failed));
  for (const test of failed) yield `# failed: ${test}\n`;
}

/** Passes the events on and collects failed tests, without the suites that failed because of them. */
async function* observeFailures(source: TestEvents, failed: string[]): TestEvents {
  const names: string[] = [];
  for await (const event of source) {
    if (event.type === 'test:start') names.splice(event.data.nesting, Infinity, event.data.name);
    if (event.type === 'test:fail' && !isOfSubtests(event.data)) {
      const { nesting, file, line, name } = event.data;
      const location = file === undefined ? '' : `${relative('.', file)}:${line ?? 1} `;
      failed.push(location + [...names.slice(0, nesting), name].join(' > '));
    }
    yield event;
  }
}

function isOfSubtests({ details }: Extract<TestEvent, { type: 'test:fail' }>['data']): boolean {
  const { error } = details;
  return 'failureType' in error && error.failureType === 'subtestsFailed';
}
