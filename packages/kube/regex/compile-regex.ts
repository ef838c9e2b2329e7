// SPDX-License-Identifier: Apache-2.0
import { compileProgram, maxProgramSize, programSize } from './program.ts';
import { Regex, type WorkMeter } from './regex.ts';

/** A cache, which is cleared when it is full: patterns mostly come from schemas and rules, and are few. */
const compiled = { regexes: new Map<string, Regex | SyntaxError>(), size: 0 };
const maxCachedSize = 1_000_000;

/** A pattern in RE2's syntax, compiled once; or its SyntaxError with Go's message. */
export function compileRegex(pattern: string, meter: WorkMeter): Regex | SyntaxError {
  const known = compiled.regexes.get(pattern);
  if (known !== undefined) return known;
  const size = programSize(pattern);
  if (size > maxProgramSize) return new SyntaxError('error parsing regexp: expression too large');
  meter.work(size * 20 + 300);
  const regex = compile(pattern);
  remember(pattern, regex, pattern.length + size);
  return regex;
}

function remember(pattern: string, regex: Regex | SyntaxError, size: number): void {
  if (compiled.size + size > maxCachedSize) {
    compiled.regexes.clear();
    compiled.size = 0;
  }
  compiled.regexes.set(pattern, regex);
  compiled.size += size;
}

function compile(pattern: string): Regex | SyntaxError {
  try {
    return new Regex(compileProgram(pattern));
  } catch (error) {
    return new SyntaxError((error as Error).message);
  }
}
