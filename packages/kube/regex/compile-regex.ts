// SPDX-License-Identifier: Apache-2.0
import { compileProgram, maxProgramSize, programSize } from './program.ts';
import { Regex, type WorkMeter } from './regex.ts';

/** Patterns mostly come from schemas and rules, and are few; the cache is cleared when it is full. */
const compiled = new Map<string, Regex | SyntaxError>();
const maxCached = 1000;

/** A pattern in RE2's syntax, compiled once; or its SyntaxError with Go's message. */
export function compileRegex(pattern: string, meter: WorkMeter): Regex | SyntaxError {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const size = programSize(pattern);
  if (size > maxProgramSize) return new SyntaxError('error parsing regexp: expression too large');
  meter.work(size * 20 + 300);
  const regex = compile(pattern);
  if (compiled.size >= maxCached) compiled.clear();
  if (pattern.length <= 1000) compiled.set(pattern, regex);
  return regex;
}

function compile(pattern: string): Regex | SyntaxError {
  try {
    return new Regex(compileProgram(pattern));
  } catch (error) {
    return new SyntaxError((error as Error).message);
  }
}
