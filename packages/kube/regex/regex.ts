// SPDX-License-Identifier: Apache-2.0
import { Automaton } from './automaton.ts';
import { emptyWidthBetween, op, textBoundary, type Program } from './program.ts';

/** Counts work in units of about 100 ns, and throws when the budget is exceeded. */
export interface WorkMeter {
  work(units: number): void;
}

/**
 * A regular expression in RE2's syntax, executed as a list of threads: time is at most proportional to text times
 * program, and the leftmost match wins. RE2's JavaScript port cannot be interrupted, and reports only whether there is
 * a match.
 */
export class Regex {
  readonly #program: Program;
  readonly #automaton: Automaton;
  /** The last step in which a thread was at each instruction; steps are numbered across all runs. */
  readonly #seen: Float64Array;
  readonly #stack: number[] = [];
  readonly #threads = new Threads();
  readonly #next = new Threads();
  #step = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#automaton = new Automaton(program);
    this.#seen = new Float64Array(program.instructions.length);
  }

  /** Whether the expression matches anywhere in the text. */
  test(text: string, meter: WorkMeter): boolean {
    return this.#automaton.test(text, meter);
  }

  /** The start and end of the first match at or after an index. */
  find(text: string, from: number, meter: WorkMeter): [number, number] | undefined {
    meter.work(3);
    const { instructions, start: entry, isAnchored } = this.#program;
    let threads = this.#threads;
    let next = this.#next;
    threads.length = 0;
    next.length = 0;
    let found: [number, number] | undefined;
    for (let at = from; at <= text.length;) {
      if (threads.length === 0 && (found !== undefined || (isAnchored && at > 0))) break;
      this.#step++;
      if (found === undefined) this.#add(threads, entry, at, text, at);
      meter.work(threads.length * 0.7 + 0.5);
      const character = text.codePointAt(at);
      const width = character !== undefined && character > 0xff_ff ? 2 : 1;
      this.#step++;
      for (let index = 0; index < threads.length; index++) {
        const place = threads.places[index] ?? 0;
        const start = threads.starts[index] ?? 0;
        const instruction = instructions[place];
        if (instruction === undefined) continue;
        if (instruction.op === op.match) {
          found = [start, at];
          break;
        }
        if (character !== undefined && instruction.matchRune(character)) {
          this.#add(next, instruction.out, start, text, at + width);
        }
      }
      threads.length = 0;
      [threads, next] = [next, threads];
      at += width;
    }
    return found;
  }

  /** Follows instructions that consume no text; threads of earlier alternatives come first. */
  #add(threads: Threads, place: number, start: number, text: string, at: number): void {
    const stack = this.#stack;
    stack.push(place);
    for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
      const instruction = this.#program.instructions[current];
      if (instruction === undefined || this.#seen[current] === this.#step) continue;
      this.#seen[current] = this.#step;
      const { op: does, out, arg } = instruction;
      if (does === op.alternative || does === op.alternativeMatch) stack.push(arg, out);
      else if (does === op.capture || does === op.nothing) stack.push(out);
      else if (does === op.emptyWidth) {
        if ((arg & ~emptyWidthAt(text, at)) === 0) stack.push(out);
      } else if (does !== op.fail) threads.push(current, start);
    }
  }
}

/** Threads in order of preference; two arrays, so that none is allocated for each character. */
class Threads {
  readonly places: number[] = [];
  readonly starts: number[] = [];
  length = 0;

  push(place: number, start: number): void {
    this.places[this.length] = place;
    this.starts[this.length] = start;
    this.length++;
  }
}

/**
 * The assertions that hold at an index of the text; they depend on whether its neighbours are word characters or line
 * ends.
 */
function emptyWidthAt(text: string, at: number): number {
  const before = at === 0 ? textBoundary : text.charCodeAt(at - 1);
  const after = at === text.length ? textBoundary : text.charCodeAt(at);
  return emptyWidthBetween(before, after);
}
