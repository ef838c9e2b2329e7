// SPDX-License-Identifier: Apache-2.0
import type { CallNode, Fold, FoldNode, Node } from './ast.ts';
import type { Issue } from './issue.ts';

/** Expands a macro call; returns its error, or undefined for an ordinary call. */
export function expandMacro(call: CallNode): Node | Issue | undefined {
  const { name, target, args } = call;
  return macros.get(`${target === undefined ? '' : '.'}${name}/${args.length}`)?.(call);
}

type Macro = (call: CallNode) => Node | Issue;

const macros: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['has/1', has],
  ['.all/2', fold('all', 1)],
  ['.exists/2', fold('exists', 1)],
  ['.exists_one/2', fold('existsOne', 1)],
  ['.existsOne/2', fold('existsOne', 1)],
  ['.map/2', fold('list', 1)],
  ['.map/3', filtered('list', 1)],
  ['.filter/2', filter],
  ['.all/3', fold('all', 2)],
  ['.exists/3', fold('exists', 2)],
  ['.exists_one/3', fold('existsOne', 2)],
  ['.existsOne/3', fold('existsOne', 2)],
  ['.transformList/3', fold('list', 2)],
  ['.transformList/4', filtered('list', 2)],
  ['.transformMap/3', fold('map', 2)],
  ['.transformMap/4', filtered('map', 2)],
  ['.transformMapEntry/3', fold('mapEntries', 2)],
  ['.transformMapEntry/4', filtered('mapEntries', 2)],
  ['.sortBy/2', sortBy],
  ['.optMap/2', optionalMap],
  ['.optFlatMap/2', optionalMap],
]);

function has({ at, args: [tested] }: CallNode): Node | Issue {
  if (tested?.kind === 'select' && tested.mode === 'get') return { ...tested, at, mode: 'has' };
  return { at: tested?.at, message: 'invalid argument to has() macro' };
}

function fold(kind: Fold, count: 1 | 2): Macro {
  return (call) => walk(call, kind, count, undefined, call.args[count]);
}

function filtered(kind: Fold, count: 1 | 2): Macro {
  return (call) => walk(call, kind, count, call.args[count], call.args[count + 1]);
}

function filter(call: CallNode): Node | Issue {
  return walk(call, 'list', 1, call.args[1], call.args[0]);
}

function walk(
  { at, target, args }: CallNode,
  kind: Fold,
  count: number,
  condition: Node | undefined,
  body: Node | undefined,
): FoldNode | Issue {
  const variables: string[] = [];
  for (const arg of args.slice(0, count)) {
    const wrong = { at: arg.at, message: '' };
    if (arg.kind !== 'ident') {
      const isQuantifier = count === 2 || kind === 'all' || kind === 'exists' || kind === 'existsOne';
      return { ...wrong, message: isQuantifier ? 'argument must be a simple name' : 'argument is not an identifier' };
    }
    if (arg.name === '__result__') {
      return { ...wrong, message: 'iteration variable overwrites accumulator variable' };
    }
    if (variables.includes(arg.name)) return { ...wrong, message: `duplicate variable name: ${arg.name}` };
    variables.push(arg.name);
  }
  // The macro table has checked the target and the number of arguments.
  return { kind: 'fold', at, fold: kind, range: target!, variables, filter: condition, body: body! };
}

function sortBy(call: CallNode): Node | Issue {
  const { at, target } = call;
  const input: Node = { kind: 'ident', at, name: '@sortBy' };
  const keys = walk({ ...call, target: input }, 'list', 1, undefined, call.args[1]);
  if (!('kind' in keys)) return keys;
  const body: Node = { kind: 'call', at, name: '@sortByAssociatedKeys', target: input, args: [keys] };
  return { kind: 'bind', at, variable: input.name, value: target!, body };
}

function optionalMap({ at, name, target, args: [variable, body] }: CallNode): Node | Issue {
  if (variable?.kind !== 'ident') {
    return { at: variable?.at, message: `${name}() variable name must be a simple identifier` };
  }
  const call = (of: string, receiver: Node | undefined, ...args: Node[]): CallNode => ({
    kind: 'call',
    at,
    name: of,
    target: receiver,
    args,
  });
  const value: Node = {
    kind: 'bind',
    at,
    variable: variable.name,
    value: call('value', target),
    body: body!,
  };
  const present = name === 'optMap' ? call('optional.of', undefined, value) : value;
  return call('_?_:_', undefined, call('hasValue', target), present, call('optional.none', undefined));
}
