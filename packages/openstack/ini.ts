// SPDX-License-Identifier: Apache-2.0

/** Configuration in oslo's INI dialect: section → option → value. */
export type Ini = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Merges configurations option by option; later ones take precedence, no input is changed. */
export function mergeIni(...layers: readonly Ini[]): Ini {
  const merged: Record<string, Record<string, string>> = {};
  for (const layer of layers) {
    for (const [section, options] of Object.entries(layer)) merged[section] = { ...merged[section], ...options };
  }
  return merged;
}

/**
 * Renders sections and options in byte order, so that equal configurations are equal texts. Nothing is escaped: a name
 * or value that could break out of its line or its brackets is refused.
 */
export function renderIni(ini: Ini): string {
  return Object.keys(ini)
    .toSorted(byBytes)
    .map((section) => renderSection(section, ini[section] ?? {}))
    .join('\n');
}

function renderSection(section: string, options: Readonly<Record<string, string>>): string {
  if (section === '') throw new Error('a section must have a name: name it, or remove it');
  if (/[\]\r\n]/.test(section)) {
    throw new Error(`section ${JSON.stringify(section)} must not contain "]" or a line break: rename the section`);
  }
  const lines = Object.keys(options)
    .toSorted(byBytes)
    .map((option) => renderOption(section, option, options[option] ?? ''));
  return [`[${section}]`, ...lines, ''].join('\n');
}

function renderOption(section: string, option: string, value: string): string {
  if (option.trim() === '') {
    throw new Error(`every option of section [${section}] must have a name: name it, or remove it`);
  }
  if (/[\r\n]/.test(option) || /[\r\n]/.test(value)) {
    throw new Error(
      `option ${JSON.stringify(option)} of section [${section}] must be a single line: remove the line break`,
    );
  }
  return `${option} = ${value}`;
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
