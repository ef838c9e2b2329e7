// SPDX-License-Identifier: Apache-2.0
import type { Progress } from './run-share.ts';

/** Collects the results of the workers. */
export interface RunReport {
  add(progress: Progress): void;
  /** Records that a worker ended before its share was done. */
  lose(worker: number, code: number | null): void;
  /** Prints a table of all scenarios; returns the number of failures. */
  summarize(): number;
}

interface Row {
  plans: number;
  failures: [plan: number, text: string][];
  /** Workers whose share is done. */
  shares: number;
  cpu: number;
  began: number;
  ended: number;
}

const progressEvery = 100;

/** Prints the failures of each scenario in the order of plans to standard output, and progress to standard error. */
export function runReport(names: readonly string[], workers: number): RunReport {
  const began = Date.now();
  const rows = new Map<string, Row>(
    names.map((name) => [name, { plans: 0, failures: [], shares: 0, cpu: 0, began: 0, ended: 0 }]),
  );
  let lost = 0;

  function printFailures(name: string, { failures }: Row): void {
    for (const [, text] of failures.toSorted(([a], [b]) => a - b)) console.log(`"${name}" fails: ${text}`);
  }

  return {
    add({ name, plan, failure, done }) {
      const row = rows.get(name);
      if (row === undefined) return;
      row.began ||= Date.now();
      row.plans += plan === undefined ? 0 : 1;
      if (plan !== undefined && failure !== undefined) {
        console.error(`${name}: ${failure.split('\n', 1)[0]}`);
        row.failures.push([plan, failure + replayHint(name, failure)]);
      }
      if (plan !== undefined && row.plans % progressEvery === 0) {
        console.error(`${name}: ${row.plans} plans, ${row.failures.length} failed`);
      }
      if (done === undefined) return;
      row.shares += 1;
      row.cpu += done;
      row.ended = Date.now();
      if (row.shares === workers) printFailures(name, row);
    },

    lose(worker, code) {
      lost += 1;
      console.log(`worker ${worker + 1} of ${workers} ended with ${code} before its share was done`);
    },

    summarize() {
      const title = ['scenario'.padEnd(44), ...['plans', 'failed', 'minutes', 'CPU s'].map((each) => each.padStart(8))];
      console.log(title.join(''));
      for (const [name, row] of rows) {
        const { plans, failures, cpu } = row;
        if (row.shares < workers) printFailures(name, row);
        const figures = [plans, failures.length, ((row.ended - row.began) / 60_000).toFixed(1), cpu.toFixed(0)];
        console.log([name.padEnd(44), ...figures.map((each) => String(each).padStart(8))].join(''));
      }
      const all = [...rows.values()];
      const failed = all.reduce((sum, { failures }) => sum + failures.length, lost);
      const plans = all.reduce((sum, row) => sum + row.plans, 0);
      console.log(`${plans} plans in ${((Date.now() - began) / 60_000).toFixed(1)} minutes, ${failed} failed`);
      return failed;
    },
  };
}

/** The command that repeats the smallest plan of a failure. */
function replayHint(name: string, failure: string): string {
  const [, plan] = /the smallest plan that fails: (.*)/.exec(failure) ?? /, plan (.*)/.exec(failure) ?? [];
  return plan === undefined ? '' : `\nrepeat it with: npm run simulate -- '${name}' '${plan}'`;
}
