// SPDX-License-Identifier: Apache-2.0
// The result of the TAP lines of one or several test runs.
import { readFileSync } from 'node:fs';

/** Counts tests line by line and remembers which failed and which were skipped. */
export class Tally {
  readonly #totals: Record<string, number> = {};
  readonly #skipped: string[] = [];
  readonly #failed: string[] = [];

  add(line: string): void {
    const skipped = /^\s*ok \d+ - (.*?) # (?:SKIP|TODO)\b/.exec(line)?.[1];
    if (skipped !== undefined) this.#skipped.push(skipped);
    const failed = /^# (failed: .*)$/.exec(line)?.[1];
    if (failed !== undefined) this.#failed.push(failed);
    const uncaught = /^# Error: .* created the error "(.*)" (?:which|and) /.exec(line)?.[1];
    if (uncaught !== undefined) this.#failed.push(`uncaught: ${uncaught}`);
    const [, name, count] = /^# (tests|pass|fail|cancelled|skipped|todo) (\d+)$/.exec(line) ?? [];
    if (name !== undefined) this.#totals[name] = (this.#totals[name] ?? 0) + Number(count);
  }

  /**
   * The last lines of a run: what failed, and the totals. A run is not ok when nothing ran, a test failed, or a test
   * was skipped that `mayBeSkipped` does not name.
   */
  verdict(mayBeSkipped?: ReadonlySet<string>): { ok: boolean; lines: readonly string[] } {
    const { tests = 0, pass = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0 } = this.#totals;
    const unlisted = this.#skipped.filter((test) => mayBeSkipped?.has(test) === false);
    return {
      ok: tests > 0 && fail + cancelled === 0 && unlisted.length === 0,
      lines: [
        ...unlisted.map((test) => `skipped without a listed reason: ${test}`),
        ...this.#failed,
        `${pass} passed, ${fail + cancelled} failed, ${skipped + todo} skipped`,
      ],
    };
  }
}

/** The tests that .ci/skips.json lists with a reason: `[{ "test": "its name", "reason": "why" }]`. */
export function listedSkips(): ReadonlySet<string> {
  const skips = JSON.parse(readFileSync('.ci/skips.json', 'utf8')) as { test: string; reason: string }[];
  return new Set(skips.filter(({ reason }) => reason !== '').map(({ test }) => test));
}
