// SPDX-License-Identifier: Apache-2.0
import { RE2JS } from '@bufbuild/re2';

/** An instruction of a compiled expression. */
type Instruction = ReturnType<RE2JS['re2']>['prog']['inst'][number];

/** A compiled expression. */
export interface Program {
  readonly instructions: readonly Instruction[];
  /** The first instruction of every thread. */
  readonly start: number;
  /** Whether a match must begin at the start of the text. */
  readonly isAnchored: boolean;
}

/** The operations of instructions. */
export const op = {
  alternative: 1,
  alternativeMatch: 2,
  capture: 3,
  emptyWidth: 4,
  fail: 5,
  match: 6,
  nothing: 7,
} as const;

/** The empty-width assertions, as the compiled program numbers them. */
const emptyWidth = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, boundary: 16, noBoundary: 32 } as const;

/** Larger programs take too long to compile. */
export const maxProgramSize = 6000;

/** Longer patterns take too long to measure. */
const maxPatternLength = 50_000;

/** Compiles a pattern in RE2's syntax; errors have the wording of Go's compiler. */
export function compileProgram(pattern: string): Program {
  const { inst, start } = RE2JS.compile(pattern).re2().prog;
  const first = inst[start];
  const isAnchored = first?.op === op.emptyWidth && (first.arg & emptyWidth.beginText) !== 0;
  return { instructions: inst, start, isAnchored };
}

/** Represents the boundary of the text, as a character. */
export const textBoundary = -1;

/** Which of `^`, `$`, `\A`, `\z`, `\b` and `\B` hold between two characters. */
export function emptyWidthBetween(before: number, after: number): number {
  return (
    (before === textBoundary || before === lineFeed ? emptyWidth.beginLine : 0) |
    (after === textBoundary || after === lineFeed ? emptyWidth.endLine : 0) |
    (before === textBoundary ? emptyWidth.beginText : 0) |
    (after === textBoundary ? emptyWidth.endText : 0) |
    (isWord(before) === isWord(after) ? emptyWidth.noBoundary : emptyWidth.boundary)
  );
}

/** The character that ends a line. */
export const lineFeed = 10;

/** Whether the character counts for `\b`. */
export function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}

/** About how many instructions a pattern compiles to, without compiling it: counted repetitions multiply. */
export function programSize(pattern: string): number {
  if (pattern.length > maxPatternLength) return Infinity;
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
