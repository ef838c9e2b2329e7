// SPDX-License-Identifier: Apache-2.0

/** A value of an attribute. Undefined and empty attributes are never written by `attributes`. */
export type HclValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/** A line or a block of a body. */
export type HclItem = HclAttribute | HclBlock;

/** `name = value`. */
export interface HclAttribute {
  readonly name: string;
  readonly value: HclValue;
}

/** `type "label" { … }`. */
export interface HclBlock {
  readonly type: string;
  readonly labels?: readonly string[];
  readonly body: readonly HclItem[];
}

/** The attributes that have a value, in this order. */
export const attributes = (values: Readonly<Record<string, HclValue | undefined>>): HclAttribute[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));

/** The text of a body in HCL 1, as the server parses it. */
export function renderHcl(body: readonly HclItem[]): string {
  return lines(body, '')
    .map((line) => `${line}\n`)
    .join('');
}

function lines(body: readonly HclItem[], indent: string): string[] {
  return runsOf(body).flatMap((run) =>
    isBlock(run[0])
      ? run.flatMap((each) => blockLines(each as HclBlock, indent))
      : attributeLines(run as HclAttribute[], indent),
  );
}

/** Consecutive attributes on one line each belong together; so do consecutive blocks. */
function runsOf(body: readonly HclItem[]): [HclItem, ...HclItem[]][] {
  const runs: [HclItem, ...HclItem[]][] = [];
  for (const item of body) {
    const last = runs.at(-1);
    if (last !== undefined && isBlock(last[0]) === isBlock(item)) last.push(item);
    else runs.push([item]);
  }
  return runs;
}

const isBlock = (item: HclItem): item is HclBlock => 'body' in item;

function blockLines({ type, labels = [], body }: HclBlock, indent: string): string[] {
  const head = [type, ...labels.map(quoted)].join(' ');
  return [`${indent}${head} {`, ...lines(body, `${indent}  `), `${indent}}`];
}

/** Their equal signs are aligned, except around maps, which take several lines. */
function attributeLines(run: readonly HclAttribute[], indent: string): string[] {
  const width = Math.max(...run.filter(({ value }) => !isMap(value)).map(({ name }) => name.length));
  return run.flatMap(({ name, value }) =>
    isMap(value)
      ? [`${indent}${name} = {`, ...mapLines(value, `${indent}  `), `${indent}}`]
      : [`${indent}${name.padEnd(width)} = ${text(value)}`],
  );
}

const isMap = (value: HclValue): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && !Array.isArray(value);

function mapLines(map: Readonly<Record<string, string>>, indent: string): string[] {
  const entries = Object.entries(map)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => [/^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? key : quoted(key), value] as const);
  const width = Math.max(0, ...entries.map(([key]) => key.length));
  return entries.map(([key, value]) => `${indent}${key.padEnd(width)} = ${quoted(value)}`);
}

function text(value: string | number | boolean | readonly string[]): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' ? `[${value.map(quoted).join(', ')}]` : String(value);
}

const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t' };

/**
 * A string that means exactly this text: HCL 1 would take `${` for an interpolation, which cannot be escaped otherwise, refuses
 * NUL, and keeps U+E123 for itself.
 */
function quoted(value: string): string {
  const escaped = value
    .toWellFormed()
    .replaceAll(/["\\\n\t]|\$(?=\{)|[\p{Cc}\p{Zl}\p{Zp}\u{FEFF}\u{E123}]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return escapes[character] ?? `\\u${code.toString(16).padStart(4, '0')}`;
    });
  return `"${escaped}"`;
}
