// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/environment/clock.ts';

/** Shows progress to the user: one line per change, so that it reads the same on a terminal and in a log. */
export interface Progress {
  /** What a component is doing; repeated texts are not printed. */
  doing(component: string, text: string): void;
  done(component: string, text: string): void;
  /** Prints a line outside the table. */
  print(text: string): void;
  /** Seconds since the start. */
  elapsed(): number;
}

/** Writes progress lines with `write`; `colour` turns on ANSI colours. */
export function progress(options: { write: (text: string) => void; clock: Clock; colour: boolean }): Progress {
  const { write, clock, colour } = options;
  const start = clock.now();
  const last = new Map<string, string>();
  const elapsed = () => (clock.now() - start) / 1000;
  const paint = (code: number, text: string) => (colour ? `\u001B[${code}m${text}\u001B[0m` : text);

  function line(mark: string, component: string, text: string): void {
    if (last.get(component) === text) return;
    last.set(component, text);
    write(`${paint(2, `${elapsed().toFixed(1).padStart(6)}s`)}  ${mark} ${component.padEnd(20)} ${text}\n`);
  }

  return {
    doing: (component, text) => line(paint(33, '·'), component, text),
    done: (component, text) => line(paint(32, '✔'), component, text),
    print: (text) => write(`${text}\n`),
    elapsed,
  };
}
