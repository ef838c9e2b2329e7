// SPDX-License-Identifier: Apache-2.0
import { lengthOf } from '../values/code-points.ts';
import type { CallNode, Entry, Item, Literal, Node } from './ast.ts';
import type { Issue } from './issue.ts';
import { type Token, tokenize } from './lexer.ts';
import { expandMacro } from './macros.ts';
import { unquoteBytes, unquoteString } from './unquote.ts';

const deepest = 250;
const longest = 100_000;

const reserved = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
);
const operands =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const relations = ['<', '<=', '>=', '>', '==', '!=', 'in'];

/** Parses an expression; there is a tree only without issues. */
export function parse(source: string): { root: Node | undefined; issues: Issue[] } {
  const size = lengthOf(source);
  if (size > longest) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${longest}`;
    return { root: undefined, issues: [{ at: undefined, message }] };
  }
  const issues: Issue[] = [];
  try {
    const root = new Parser(tokenize(source, issues), issues).whole();
    return { root: issues.length === 0 ? root : undefined, issues };
  } catch (error) {
    if (!(error instanceof Unparsable)) throw error;
    return { root: undefined, issues: [...issues, error.issue] };
  }
}

/** Aborts parsing after a syntax error. */
class Unparsable extends Error {
  readonly issue: Issue;
  constructor(at: number | undefined, message: string) {
    super(message);
    this.issue = { at, message };
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #issues: Issue[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], issues: Issue[]) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  whole(): Node {
    const root = this.#expression();
    const { kind, text, at } = this.#peek;
    if (kind === 'end') return root;
    const isLast = this.#tokens[this.#next + 1]?.kind === 'end';
    if (isLast) throw new Unparsable(at, `Syntax error: extraneous input '${text}' expecting <EOF>`);
    return this.#unexpected('<EOF>');
  }

  get #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', text: '<EOF>', at: 0 };
  }

  #take(): Token {
    const token = this.#peek;
    this.#next++;
    return token;
  }

  /** Consumes the token if it is one of these. */
  #accept(...texts: string[]): Token | undefined {
    const { kind, text } = this.#peek;
    return (kind === 'symbol' || kind === 'ident') && texts.includes(text) ? this.#take() : undefined;
  }

  #expect(text: string): Token {
    const { kind, at } = this.#peek;
    if (kind === 'end') throw new Unparsable(at, `Syntax error: missing '${text}' at '<EOF>'`);
    return this.#accept(text) ?? this.#unexpected(`'${text}'`);
  }

  #unexpected(wanted: string): never {
    const { text, at } = this.#peek;
    throw new Unparsable(at, `Syntax error: mismatched input '${text}' expecting ${wanted}`);
  }

  /** Counts nesting depth; chains count too, since their tree is as deep as they are long. */
  #nested<T>(inner: () => T, levels = 1): T {
    this.#depth += levels;
    if (this.#depth > deepest) throw new Unparsable(undefined, `expression recursion limit exceeded: ${deepest}`);
    const result = inner();
    this.#depth -= levels;
    return result;
  }

  #expression(): Node {
    return this.#nested(() => {
      const condition = this.#logic('||', () => this.#logic('&&', () => this.#relation()));
      const question = this.#accept('?');
      if (question === undefined) return condition;
      const yes = this.#logic('||', () => this.#logic('&&', () => this.#relation()));
      this.#expect(':');
      return call(question, '_?_:_', condition, yes, this.#expression());
    });
  }

  #logic(operator: '&&' | '||', operand: () => Node): Node {
    const first = operand();
    const sign = this.#accept(operator);
    if (sign === undefined) return first;
    const terms = [first, operand()];
    while (this.#accept(operator) !== undefined) terms.push(operand());
    return { kind: 'logic', at: sign.at, operator, terms };
  }

  #relation(): Node {
    return this.#chain(relations, () => this.#sum());
  }

  #sum(): Node {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/', '%'], () => this.#unary()));
  }

  #chain(operators: readonly string[], operand: () => Node): Node {
    let left = operand();
    for (let length = 1; ; length++) {
      const sign = this.#accept(...operators);
      if (sign === undefined) return left;
      const first = left;
      const right = this.#nested(operand, length);
      left = call(sign, sign.text === 'in' ? '@in' : `_${sign.text}_`, first, right);
    }
  }

  #unary(): Node {
    const sign = this.#accept('!', '-');
    if (sign === undefined) return this.#member();
    let odd = true;
    while (this.#accept(sign.text) !== undefined) odd = !odd;
    const number = this.#peek;
    if (sign.text === '-' && odd && (number.kind === 'int' || number.kind === 'double')) {
      this.#take();
      return this.#members(this.#number(number, sign));
    }
    const operand = this.#member();
    return odd ? call(sign, sign.text === '!' ? '!_' : '-_', operand) : operand;
  }

  #member(): Node {
    return this.#members(this.#primary());
  }

  #members(primary: Node): Node {
    let node = primary;
    for (let length = 1; ; length++) {
      const operand = node;
      const dot = this.#accept('.');
      const bracket = dot === undefined ? this.#accept('[') : undefined;
      if (dot !== undefined) node = this.#nested(() => this.#field(operand, dot), length);
      else if (bracket !== undefined) node = this.#nested(() => this.#index(operand, bracket), length);
      else return node;
    }
  }

  #field(operand: Node, dot: Token): Node {
    const optional = this.#accept('?') !== undefined;
    const { kind, text } = this.#peek;
    const isKeyword = ['true', 'false', 'null', 'in'].includes(text);
    if (kind !== 'quoted' && (kind !== 'ident' || isKeyword)) this.#unexpected('IDENTIFIER');
    this.#take();
    const open = kind === 'quoted' || optional ? undefined : this.#accept('(');
    if (open !== undefined) return this.#macroOr(open, text, operand, this.#args(')'));
    if (kind === 'quoted') this.#issues.push({ at: dot.at, message: "unsupported syntax: '`'" });
    return { kind: 'select', at: dot.at, operand, field: text, mode: optional ? 'optional' : 'get' };
  }

  #index(operand: Node, bracket: Token): Node {
    const optional = this.#accept('?') !== undefined;
    const index = this.#expression();
    this.#expect(']');
    return call(bracket, optional ? '_[?_]' : '_[_]', operand, index);
  }

  #primary(): Node {
    const token = this.#take();
    const { kind, text, at } = token;
    if (kind === 'symbol' && text === '(') {
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    if (kind === 'symbol' && text === '[') return { kind: 'list', at, items: this.#items() };
    if (kind === 'symbol' && text === '{') return { kind: 'map', at, entries: this.#entries() };
    if (kind === 'symbol' && text === '.' && this.#peek.kind === 'ident') return this.#identifier(this.#take());
    if (kind === 'ident') return this.#identifier(token);
    if (kind === 'int' || kind === 'uint' || kind === 'double') return this.#number(token);
    if (kind === 'string' || kind === 'bytes') return this.#text(token);
    this.#next--;
    return this.#unexpected(operands);
  }

  #identifier({ text, at }: Token): Node {
    if (text === 'true' || text === 'false') {
      return { kind: 'literal', at, literal: { type: 'bool', value: text === 'true' } };
    }
    if (text === 'null') return { kind: 'literal', at, literal: { type: 'null', value: null } };
    if (reserved.has(text)) this.#issues.push({ at, message: `reserved identifier: ${text}` });
    const open = this.#accept('(');
    if (open !== undefined) return this.#macroOr(open, text, undefined, this.#args(')'));
    return this.#struct(text) ?? { kind: 'ident', at, name: text };
  }

  /** `a.b.C{…}`: rules cannot construct messages, but the checker reports that, not the parser. */
  #struct(first: string): Node | undefined {
    let ahead = this.#next;
    let name = first;
    while (this.#tokens[ahead]?.text === '.' && this.#tokens[ahead + 1]?.kind === 'ident') {
      name += `.${this.#tokens[ahead + 1]?.text}`;
      ahead += 2;
    }
    const open = this.#tokens[ahead];
    if (open?.kind !== 'symbol' || open.text !== '{') return undefined;
    this.#next = ahead + 1;
    this.#entries();
    return { kind: 'struct', at: open.at, name };
  }

  #macroOr(open: Token, name: string, target: Node | undefined, args: readonly Node[]): Node {
    const plain: CallNode = { kind: 'call', at: open.at, name, target, args };
    const expanded = expandMacro(plain);
    if (expanded === undefined) return plain;
    if ('kind' in expanded) return expanded;
    this.#issues.push(expanded);
    return plain;
  }

  #args(close: string): Node[] {
    const args: Node[] = [];
    if (this.#accept(close) !== undefined) return args;
    do args.push(this.#expression());
    while (this.#accept(',') !== undefined);
    this.#expect(close);
    return args;
  }

  #items(): Item[] {
    const items: Item[] = [];
    while (this.#accept(']') === undefined) {
      const optional = this.#accept('?') !== undefined;
      items.push({ node: this.#expression(), optional });
      if (this.#accept(',') === undefined && this.#peek.text !== ']') this.#unexpected("{']', ','}");
    }
    return items;
  }

  #entries(): Entry[] {
    const entries: Entry[] = [];
    while (this.#accept('}') === undefined) {
      const optional = this.#accept('?') !== undefined;
      const key = this.#expression();
      this.#expect(':');
      entries.push({ key, value: this.#expression(), optional });
      if (this.#accept(',') === undefined && this.#peek.text !== '}') this.#unexpected("{'}', ','}");
    }
    return entries;
  }

  #number({ kind, text, at: own }: Token, sign?: Token): Node {
    const at = sign?.at ?? own;
    if (kind === 'double') {
      const value = Number(text) * (sign === undefined ? 1 : -1);
      if (!Number.isFinite(value)) this.#issues.push({ at, message: 'invalid double literal' });
      return { kind: 'literal', at, literal: { type: 'double', value } };
    }
    const type = kind === 'uint' ? 'uint' : 'int';
    const magnitude = BigInt(type === 'uint' ? text.slice(0, -1) : text);
    const value = sign === undefined ? magnitude : -magnitude;
    const kept = type === 'uint' ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value);
    if (kept !== value) this.#issues.push({ at, message: `invalid ${type} literal` });
    return { kind: 'literal', at, literal: { type, value } };
  }

  #text({ kind, text, at }: Token): Node {
    const value = kind === 'bytes' ? unquoteBytes(text.slice(1)) : unquoteString(text);
    if (value === undefined) this.#issues.push({ at, message: 'unable to unescape string' });
    const literal: Literal =
      kind === 'bytes'
        ? { type: 'bytes', value: (value ?? new Uint8Array()) as Uint8Array }
        : { type: 'string', value: (value ?? '') as string };
    return { kind: 'literal', at, literal };
  }
}

function call({ at }: Token, name: string, ...args: Node[]): CallNode {
  return { kind: 'call', at, name, target: undefined, args };
}
