// SPDX-License-Identifier: Apache-2.0
import { CST, isMap, Lexer, parseDocument, stringify } from 'yaml';

/** Rules of oslo.policy by name. */
export type PolicyRules = Readonly<Record<string, string>>;

/** The most rules that a policy may have; Keystone itself has fewer than 400. */
export const maxRules = 2000;
const maxKibibytes = 256;
/** More than a map of strings needs. */
const maxDepth = 8;
const maxAliases = 100;
/** As many as this number of rules needs, each with several lines of comment: the parser works for each. */
const maxTokens = 40_000;
/** Of these, what is neither comment nor space: the parser reports each one that is out of place, which takes longest. */
const maxMarks = 10 * maxRules;
const unmarked: ReadonlySet<string> = new Set(['comment', 'space', 'newline']);

/**
 * Parses the rules of a policy.yaml; undefined when it is empty. Throws when it is too large or not a map of strings.
 */
export function parsePolicy(text: string): PolicyRules | undefined {
  checkLimits(text);
  // Duplicate keys are detected below: the parser would compare each key with all others.
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false });
  for (const error of document.errors) throw error;
  const found: unknown = document.toJS({ mapAsMap: true });
  if (found === null || found === undefined) return undefined;
  if (!(found instanceof Map)) throw new Error('must be a map of rules by name');
  if (isMap(document.contents) && document.contents.items.length > found.size) {
    throw new Error('the names of rules must be unique');
  }
  const rules = [...found].map(([name, rule]: [unknown, unknown]): [string, string] => {
    if (typeof name !== 'string') throw new Error(`the name ${String(name)} of a rule must be a text: quote it`);
    if (typeof rule !== 'string') throw new Error(`rule "${name}" must be a text: quote it`);
    return [name, rule];
  });
  return rules.length === 0 ? undefined : Object.fromEntries(rules);
}

/** Renders the rules in byte order of their names, so that equal rules are equal texts. */
export function renderPolicy(rules: PolicyRules): string {
  const sorted = Object.entries(rules).toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  // Python reads YAML 1.1, in which a bare `no` is false.
  return stringify(Object.fromEntries(sorted), { lineWidth: 0, version: '1.1' });
}

/** How many levels a token opens or closes. */
const levels: Readonly<Record<string, number>> = {
  'flow-map-start': 1,
  'flow-seq-start': 1,
  'flow-map-end': -1,
  'flow-seq-end': -1,
};

/** Throws for text that would take long to parse; reads each character once. */
function checkLimits(text: string): void {
  if (Buffer.byteLength(text) > maxKibibytes * 1024) throw new Error(`must not be larger than ${maxKibibytes} KiB`);
  let [tokens, marks, rules, aliases, depth, depthOfLine] = [0, 0, 0, 0, 0, 0];
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token) ?? '';
    tokens += 1;
    if (!unmarked.has(type)) marks += 1;
    if (type === 'newline') depthOfLine = 0;
    if (type === 'seq-item-ind' || type === 'explicit-key-ind') depthOfLine += 1;
    if (type === 'map-value-ind') rules += 1;
    if (type === 'alias') aliases += 1;
    depth += levels[type] ?? 0;
    if (rules > maxRules) throw new Error(`must not have more than ${maxRules} rules`);
    if (aliases > maxAliases) throw new Error(`must not have more than ${maxAliases} aliases`);
    if (tokens > maxTokens) throw new Error(`must not have more than ${maxTokens} tokens`);
    if (marks > maxMarks) throw new Error(`must not have more than ${maxMarks} tokens that are no comments`);
    if (depth + depthOfLine > maxDepth) throw new Error(`must not be nested more than ${maxDepth} deep`);
  }
}
