// SPDX-License-Identifier: Apache-2.0
import { RE2JS } from '@bufbuild/re2';
import { widthAt } from './code-points.ts';
import type { Meter } from './meter.ts';
import { EvalError } from './value.ts';

type Program = ReturnType<RE2JS['re2']>['prog'];

/** What an instruction of a compiled expression does. */
const op = { alternative: 1, alternativeMatch: 2, capture: 3, emptyWidth: 4, fail: 5, match: 6, nothing: 7 } as const;

/** What may hold between two characters, as the compiled program numbers it. */
const emptyWidth = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, boundary: 16, noBoundary: 32 } as const;

/** More instructions than this and compiling alone takes too long. */
const largest = 6000;

/**
 * A regular expression in RE2's syntax, run as a list of threads: never slower than the text times the program, leftmost
 * match first. RE2's own JavaScript port only says whether there is a match, and cannot be stopped.
 */
export class Regex {
  readonly #program: Program;
  /** In which step a thread last stood at an instruction; the steps of all runs are numbered through. */
  readonly #seen: Float64Array;
  readonly #stack: number[] = [];
  readonly #threads = new Threads();
  readonly #next = new Threads();
  #step = 0;

  private constructor(program: Program) {
    this.#program = program;
    this.#seen = new Float64Array(program.numInst());
  }

  static compile(pattern: string): Regex | EvalError {
    if (expandedSize(pattern) > largest) return new EvalError('error parsing regexp: expression too large');
    try {
      return new Regex(RE2JS.compile(pattern).re2().prog);
    } catch (error) {
      return new EvalError((error as Error).message);
    }
  }

  /** Whether a match must begin where the text does. */
  get #isAnchored(): boolean {
    const { inst, start } = this.#program;
    const first = inst[start];
    return first?.op === op.emptyWidth && (first.arg & emptyWidth.beginText) !== 0;
  }

  /** Whether the expression matches anywhere in the text. */
  test(text: string, meter: Meter): boolean {
    return this.find(text, 0, meter, true) !== undefined;
  }

  /** Where the first match at or after a place begins and ends; for `any`, some match will do. */
  find(text: string, from: number, meter: Meter, any = false): [number, number] | undefined {
    meter.work(3);
    const instructions = this.#program.inst;
    let threads = this.#threads;
    let next = this.#next;
    threads.length = 0;
    next.length = 0;
    let found: [number, number] | undefined;
    for (let at = from; at <= text.length;) {
      if (threads.length === 0 && (found !== undefined || (this.#isAnchored && at > 0))) break;
      this.#step++;
      if (found === undefined) this.#add(threads, this.#program.start, at, text, at);
      meter.work(threads.length * 0.7 + 0.5);
      const character = text.codePointAt(at);
      const width = character === undefined ? 1 : widthAt(text, at);
      this.#step++;
      for (let index = 0; index < threads.length; index++) {
        const place = threads.places[index] ?? 0;
        const start = threads.starts[index] ?? 0;
        const instruction = instructions[place];
        if (instruction === undefined) continue;
        if (instruction.op === op.match) {
          found = [start, at];
          if (any) return found;
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

  /** Follows everything that consumes no text; threads of earlier alternatives come first. */
  #add(threads: Threads, place: number, start: number, text: string, at: number): void {
    const stack = this.#stack;
    stack.push(place);
    for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
      const instruction = this.#program.inst[current];
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

/** Which of `^`, `$`, `\A`, `\z`, `\b` and `\B` hold at a place. */
function emptyWidthAt(text: string, at: number): number {
  const atStart = at === 0;
  const atEnd = at === text.length;
  const boundary = isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at));
  return (
    (atStart || text[at - 1] === '\n' ? emptyWidth.beginLine : 0) |
    (atEnd || text[at] === '\n' ? emptyWidth.endLine : 0) |
    (atStart ? emptyWidth.beginText : 0) |
    (atEnd ? emptyWidth.endText : 0) |
    (boundary ? emptyWidth.boundary : emptyWidth.noBoundary)
  );
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}

/** About how many instructions a pattern compiles to, without compiling it: counted repetitions multiply. */
function expandedSize(pattern: string): number {
  const open: number[] = [];
  let total = 0;
  let last = 0;
  for (const [piece, least, most] of pattern.matchAll(
    /\\[pP](?:\{[^}]*\}|.)|\\.|\[(?:\\.|[^\]\\])+\]|\{(\d+),?(\d*)\}|[^]/gs,
  )) {
    if (piece === '(') open.push(total);
    if (piece === ')') last = total - (open.pop() ?? total);
    else if (least !== undefined) total += last * (Math.max(Number(least), Number(most), 1) - 1);
    else {
      // Classes of Unicode are long lists, copied with every repetition.
      last = /\\[pP]/.test(piece) ? 40 : 1;
      total += last;
    }
  }
  return total;
}
