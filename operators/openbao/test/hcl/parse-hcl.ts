// SPDX-License-Identifier: Apache-2.0

/** A value that was parsed. */
export type ParsedValue = string | number | boolean | readonly string[] | { readonly [name: string]: ParsedValue };

/** A body that was parsed: its attributes by name, and its blocks in order. */
export interface ParsedBody {
  readonly attributes: Readonly<Record<string, ParsedValue>>;
  readonly blocks: readonly (ParsedBody & { readonly head: readonly string[] })[];
}

type Token =
  | { readonly kind: 'word' | 'symbol'; readonly text: string }
  | { readonly kind: 'string'; readonly text: string };

/**
 * Parses HCL 1 as the server does, as far as it occurs here: a string ends at a quote outside of `${}`, in which nothing is unescaped;
 * NUL and U+E123 are errors, and so is a name twice in a body.
 */
export function parseHcl(text: string): ParsedBody {
  const tokens = [...tokensOf(text)];
  let position = 0;
  const peek = () => tokens[position];
  const next = () => tokens[position++] ?? fail('the end');
  const accept = (symbol: string) => {
    const token = peek();
    if (token?.kind !== 'symbol' || token.text !== symbol) return false;
    position += 1;
    return true;
  };
  const expect = (symbol: string) => accept(symbol) || fail(`${peek()?.text} instead of ${symbol}`);

  function body(end: '}' | undefined): ParsedBody {
    const attributes: Record<string, ParsedValue> = {};
    const blocks: (ParsedBody & { head: string[] })[] = [];
    while (end === undefined ? peek() !== undefined : !accept(end)) {
      const head = [name()];
      while (peek()?.kind === 'string') head.push(next().text);
      if (head.length === 1 && accept('=')) {
        const [key = ''] = head;
        if (Object.hasOwn(attributes, key)) fail(`${key} twice`);
        attributes[key] = value();
      } else {
        expect('{');
        blocks.push({ head, ...body('}') });
      }
    }
    return { attributes, blocks };
  }

  function name(): string {
    const token = next();
    return token.kind === 'symbol' ? fail(`${token.text} instead of a name`) : token.text;
  }

  function value(): ParsedValue {
    if (accept('[')) return list();
    if (accept('{')) return map();
    const token = next();
    if (token.kind === 'string') return token.text;
    if (/^(?:true|false)$/.test(token.text)) return token.text === 'true';
    return /^-?(?:0|[1-9]\d*)$/.test(token.text) ? Number(token.text) : fail(`${token.text} instead of a value`);
  }

  function list(): string[] {
    const items: string[] = [];
    while (!accept(']')) {
      if (items.length > 0) expect(',');
      const token = next();
      items.push(token.kind === 'string' ? token.text : fail(`${token.text} in a list`));
    }
    return items;
  }

  function map(): Record<string, ParsedValue> {
    const { attributes, blocks } = body('}');
    return blocks.length === 0 ? attributes : fail('a block in a map');
  }

  return body(undefined);
}

function fail(what: string): never {
  throw new Error(`HCL: ${what}`);
}

function* tokensOf(text: string): Generator<Token> {
  if (['\u{0}', '\u{E123}'].some((reserved) => text.includes(reserved))) fail('a reserved character');
  let rest = text;
  while (rest !== '') {
    const [blank = ''] = /^[ \t\r\n]*/.exec(rest) ?? [];
    rest = rest.slice(blank.length);
    const [word] = /^-?[A-Za-z0-9_][A-Za-z0-9_.-]*/.exec(rest) ?? [];
    if (rest === '') return;
    if (rest.startsWith('"')) {
      const end = endOfString(rest);
      yield { kind: 'string', text: unquoted(rest.slice(1, end)) };
      rest = rest.slice(end + 1);
    } else if (word !== undefined) {
      yield { kind: 'word', text: word };
      rest = rest.slice(word.length);
    } else if (/^[={}[\],]/.test(rest)) {
      yield { kind: 'symbol', text: rest.charAt(0) };
      rest = rest.slice(1);
    } else fail(`an illegal character: ${rest.charAt(0)}`);
  }
}

/** The index of the quote that ends the string at the beginning of the text. */
function endOfString(text: string): number {
  let braces = 0;
  for (let index = 1; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"' && braces === 0) return index;
    if (character === '\n' && braces === 0) fail('a line break in a string');
    if (braces === 0 && character === '$' && text.charAt(index + 1) === '{') {
      braces = 1;
      index += 1;
    } else if (braces > 0 && character === '{') braces += 1;
    else if (braces > 0 && character === '}') braces -= 1;
    else if (character === '\\') index += 1;
  }
  return fail('a string that does not end');
}

const letters: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t' };

function unquoted(text: string): string {
  // What is in `${}` stays as it is; then it would not be what was meant.
  return text.replaceAll(/\$\{|\\(u[0-9a-fA-F]{4}|.)/gsu, (found, escape?: string) => {
    if (escape === undefined) return found;
    if (escape.length === 5) return String.fromCodePoint(Number.parseInt(escape.slice(1), 16));
    return letters[escape] ?? fail(`an unknown escape: ${found}`);
  });
}
