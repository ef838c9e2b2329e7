// SPDX-License-Identifier: Apache-2.0
import { fieldOf } from '../objects/json.ts';
import type { LabelRequirement } from './selector.ts';

/** Parses `app=web,tier in (a, b),!canary`; throws a SyntaxError with Kubernetes' message. */
export function parseLabelSelector(text: string): LabelRequirement[] {
  const tokens = new Tokens(text);
  const requirements: LabelRequirement[] = [];
  if (tokens.peek() === '') return requirements;
  if (!beginsRequirement(tokens.peek())) throw tokens.unexpected(", expected: !, identifier, or 'end of string'");
  for (;;) {
    requirements.push(parseRequirement(tokens));
    if (tokens.peek() === '') return requirements;
    if (tokens.peek() !== ',') throw tokens.unexpected(", expected: ',' or 'end of string'");
    tokens.take();
    if (!beginsRequirement(tokens.peek())) throw tokens.unexpected(", expected: identifier after ','");
  }
}

const operators: Readonly<Record<string, LabelRequirement['operator']>> = {
  in: 'In',
  notin: 'NotIn',
  '=': 'In',
  '==': 'In',
  '!=': 'NotIn',
  '>': 'Gt',
  '<': 'Lt',
};

const isKey = /^(?:[A-Za-z0-9.-]+\/)?[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/;
const isValue = /^[\w.-]*$/;

function parseRequirement(tokens: Tokens): LabelRequirement {
  const isAbsent = tokens.peek() === '!';
  if (isAbsent) tokens.take();
  const key = tokens.word(', expected: identifier');
  if (!isKey.test(key)) throw requirementError(JSON.stringify(key));
  if (isAbsent) return { key, operator: 'DoesNotExist', values: [] };
  if (tokens.peek() === '' || tokens.peek() === ',') return { key, operator: 'Exists', values: [] };
  const sign = tokens.peek();
  const operator = fieldOf(operators, sign);
  if (operator === undefined) throw requirementError(tokens.found(', expected: in, notin, =, ==, !=, gt, lt'));
  tokens.take();
  const values = sign === 'in' || sign === 'notin' ? parseValues(tokens) : [parseValue(tokens)];
  const invalid = values.find((value) => !isValue.test(value));
  if (invalid !== undefined) throw requirementError(JSON.stringify(invalid));
  checkNumber(operator, values[0] ?? '');
  return { key, operator, values };
}

function parseValue(tokens: Tokens): string {
  return tokens.peek() === '' || tokens.peek() === ',' ? '' : tokens.word(', expected: identifier');
}

/** The values in parentheses; an omitted value is the empty string. */
function parseValues(tokens: Tokens): string[] {
  if (tokens.peek() !== '(') throw requirementError(tokens.found(" expected: '('"));
  tokens.take();
  const begins = tokens.peek() === ',' || tokens.peek() === ')' || isWord(tokens.peek());
  if (!begins) throw requirementError(tokens.found(", expected: ',', ')' or identifier"));
  const values: string[] = [];
  for (;;) {
    values.push(isWord(tokens.peek()) ? tokens.take() : '');
    if (tokens.peek() === ')') break;
    if (tokens.peek() !== ',') throw requirementError(tokens.found(", expected: ',' or ')'"));
    tokens.take();
  }
  tokens.take();
  return values;
}

function checkNumber(operator: LabelRequirement['operator'], value: string): void {
  if ((operator !== 'Gt' && operator !== 'Lt') || /^[+-]?\d+$/.test(value)) return;
  const why = "for 'Gt', 'Lt' operators, the value must be an integer";
  throw requirementError(`values[0]: Invalid value: ${JSON.stringify(value)}: ${why}`);
}

/** The tokens of a selector; an empty token marks the end. */
class Tokens {
  readonly #tokens: readonly string[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = text.match(/==|!=|[=!<>(),]|[^\s=!<>(),]+/g) ?? [];
  }

  peek(): string {
    return this.#tokens[this.#position] ?? '';
  }

  take(): string {
    const next = this.peek();
    this.#position += 1;
    return next;
  }

  /** Takes a word; throws for any other token. */
  word(expected: string): string {
    if (!isWord(this.peek())) throw requirementError(this.found(expected));
    return this.take();
  }

  found(expected: string): string {
    return `found '${this.peek()}'${expected}`;
  }

  unexpected(expected: string): SyntaxError {
    return new SyntaxError(this.found(expected));
  }
}

function requirementError(why: string): SyntaxError {
  return new SyntaxError(`unable to parse requirement: ${why}`);
}

function beginsRequirement(token: string): boolean {
  return token === '!' || isWord(token);
}

function isWord(token: string): boolean {
  return /^[^=!<>(),]/.test(token);
}
