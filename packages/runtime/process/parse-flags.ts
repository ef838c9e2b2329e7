// SPDX-License-Identifier: Apache-2.0
import type { Flag, Flags, FlagValues } from './flag.ts';

/** An invalid command line or environment variable. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Parses flags from the command line, then the environment; a UsageError names the flag, the value and what is expected. */
export function parseFlags<F extends Flags>(
  flags: F,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): FlagValues<F> {
  const given = givenOnCommandLine(flags, args);
  const values = Object.entries(flags).map(([key, flag]) => {
    const variable = variableOf(key, flag);
    const [from, text] =
      given.has(key) || variable === ''
        ? [flagOf(key), given.get(key)]
        : [`the variable ${variable}`, environment[variable] === '' ? undefined : environment[variable]];
    return [key, text === undefined ? flag.default : read(flag, from, text)];
  });
  return Object.fromEntries(values) as FlagValues<F>;
}

/** The flags in two columns, for `--help`; `questions` are flags that print and exit: `{ '--version': 'print …' }`. */
export function flagsHelp(flags: Flags, questions: Readonly<Record<string, string>>): string {
  const asked = Object.entries(questions).map(([names, description]) => [`  ${names}`, description] as const);
  const given = Object.entries(flags).map(([key, flag]) => {
    const variable = variableOf(key, flag);
    const standard = flag.defaultText ?? (flag.default === '' ? undefined : String(flag.default));
    const notes = [standard && `default ${standard}`, variable && `$${variable}`].filter(Boolean).join('; ');
    return [
      `  ${flagOf(key)}${flag.value === undefined ? '' : ` <${flag.value}>`}`,
      flag.description,
      `(${notes})`,
    ] as const;
  });
  const rows = [...asked, ...given];
  const width = Math.max(...rows.map(([name]) => name.length));
  const indented = `\n${' '.repeat(width)}  `;
  return rows.map(([name, ...lines]) => `${name.padEnd(width)}  ${lines.join(indented)}`).join('\n');
}

function read(flag: Flag<unknown>, from: string, text: string): unknown {
  try {
    return flag.read(text);
  } catch (error) {
    throw new UsageError(`${from} is "${text}", but must be ${(error as Error).message}`);
  }
}

function givenOnCommandLine(flags: Flags, args: readonly string[]): Map<string, string> {
  const given = new Map<string, string>();
  const waiting = args.values();
  for (const argument of waiting) {
    const [, name = '', value] = /^--([a-z-]+)(?:=(.*))?$/s.exec(argument) ?? [];
    const [key, flag] = Object.entries(flags).find(([each]) => flagOf(each) === `--${name}`) ?? [];
    if (key === undefined) throw new UsageError(`unknown flag ${argument}; see --help`);
    const text = value ?? (flag?.value === undefined ? 'true' : waiting.next().value);
    if (text === undefined) throw new UsageError(`--${name} needs a value: --${name}=<${flag?.value}>`);
    given.set(key, text);
  }
  return given;
}

function flagOf(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function variableOf(key: string, { variable }: Flag<unknown>): string {
  return variable ?? flagOf(key).slice(2).replaceAll('-', '_').toUpperCase();
}
